"""docs/reference/bundleio-api.md names everything that each language offers, and each language offers every verb."""

import os
import re
import unittest

import signatures

PAGE = os.path.join(signatures.SOURCE, "..", "docs", "reference", "bundleio-api.md")
# C++ and C have MPI's communicators; the others hand over Fortran's.
INIT = {"bio_init", "bio_init_f"}
LANGUAGES = ("c", "cpp", "fortran", "python")


class Reference(unittest.TestCase):

    def setUp(self):
        with open(PAGE, encoding="utf-8") as file:
            self.page = file.read()
        self.sections = dict(re.findall(r"^### (.*?)\n(.*?)(?=^##|\Z)", self.page, flags=re.MULTILINE | re.DOTALL))

    def blocks(self, text, language):
        return [line for block in re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
                for line in block.splitlines()]

    def test_every_function_of_the_c_interface_has_a_section_with_its_prototype(self):
        prototypes = signatures.c()
        self.assertEqual(set(re.findall(r"\bbio_\w+(?=\()", signatures.header())), set(prototypes))
        self.assertEqual({name for title in self.sections for name in title.split(", ")}, set(prototypes))
        for title, text in self.sections.items():
            self.assertEqual(self.blocks(text, "c"), [prototypes[name] for name in title.split(", ")])

    def test_every_verb_is_shown_in_every_language(self):
        for title, text in self.sections.items():
            for language in LANGUAGES:
                self.assertTrue(self.blocks(text, language), f"{title}: no {language}")
            self.assertRegex(text, r"\*\*(Collective|Local)\b", title)

    def test_what_the_page_shows_is_what_the_sources_of_each_language_offer(self):
        beyond = {"python": {"Error.status", "str(error)"}}
        for language in LANGUAGES[1:]:
            offered = getattr(signatures, language)() | beyond.get(language, set())
            self.assertEqual(set(self.blocks(self.page, language)), offered)

    def test_every_language_calls_every_function(self):
        faces = {"C++": ("include/bundleio/bundleio.hpp", r"\b{}\("), "Fortran": ("fortran/bundleio_c.f90", "name='{}'"),
                 "Python": ("python/bundleio.py python/bundleio_library.py", r"\b{}\b")}
        for language, (paths, use) in faces.items():
            text = "\n".join(signatures.text_of(*path.split("/")) for path in paths.split())
            missing = {name for name in signatures.c() if not re.search(use.format(name), text)}
            self.assertLessEqual(len(missing & INIT), 1, language)
            self.assertEqual(missing - INIT, set(), language)

    def test_every_status_has_its_name_and_number_in_every_language(self):
        fortran = dict(re.findall(r"bio_(\w+) = (\d+)", signatures.text_of("fortran", "bundleio_context.f90")))
        public = re.findall(r"bio_(\w+)", " ".join(re.findall(r"public ::(.*)", signatures.text_of("fortran", "bundleio.f90"))))
        python = dict(re.findall(r"^    ([A-Z_]+) = (\d+)$", signatures.text_of("python", "bundleio_library.py"), flags=re.MULTILINE))
        for name, value in signatures.statuses().items():
            self.assertEqual(fortran.get(name.lower()), str(value), name)
            self.assertIn(name.lower(), public)
            self.assertIn(f"| {value} | `BIO_{name}` | `bio_{name.lower()}` |", self.page)
            if value != 0:
                self.assertEqual(python.get(name), str(value), name)


if __name__ == "__main__":
    unittest.main()
