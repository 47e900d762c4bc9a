//! A list that most often has one element, which then needs no memory of its own: most requests are for one block, and taking and
//! giving back memory costs them as much as the tables do.

/// A list that only grows.
#[derive(Clone)]
pub(crate) enum Few<T> {
    None,
    One(T),
    Many(Vec<T>),
}

impl<T> Few<T> {
    pub(crate) fn push(&mut self, element: T) {
        *self = match std::mem::replace(self, Self::None) {
            Self::None => Self::One(element),
            Self::One(first) => Self::Many(vec![first, element]),
            Self::Many(mut elements) => {
                elements.push(element);
                Self::Many(elements)
            }
        };
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        match self {
            Self::None => &[],
            Self::One(element) => std::slice::from_ref(element),
            Self::Many(elements) => elements,
        }
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::None => None,
            Self::One(element) => Some(element),
            Self::Many(elements) => elements.last_mut(),
        }
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut list = Self::None;
        elements.into_iter().for_each(|element| list.push(element));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_in_order_however_many_there_are() {
        for count in [0, 1, 2, 3, 100] {
            let mut list: Few<u32> = (0..count).collect();
            assert_eq!(list.as_slice(), (0..count).collect::<Vec<_>>());
            assert_eq!(list.last_mut().copied(), count.checked_sub(1));
            if let Some(last) = list.last_mut() {
                *last = 7;
            }
            assert_eq!(list.as_slice().last().copied(), (count > 0).then_some(7));
        }
    }
}
