/* A library with thread-local values: each thread gets a block for them from the heap, since the
   library is loaded late. */
__attribute__((visibility("default"))) void keep(void* value);

static __thread void* kept[2];

void keep(void* value) { kept[0] = value; }
