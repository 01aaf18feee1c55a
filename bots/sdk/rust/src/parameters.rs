use std::fmt::Display;
use std::process::exit;
use std::sync::LazyLock;

/// The largest number that a parameter can be, in either direction.
const MOST: f64 = 1e15;

static OWN: LazyLock<Parameters> = LazyLock::new(|| {
    let written = std::env::var("BALLCOURT_PARAMETERS").unwrap_or_default();
    Parameters::read(&written).unwrap_or_else(|sentence| leave(2, sentence))
});

/// The parameters that bot.toml declares, as the organiser has set them.
#[derive(Debug, Default)]
pub struct Parameters(Vec<(String, String)>);

/// Returns the parameters of the bot. Their values never change while it runs.
pub fn parameters() -> &'static Parameters {
    &OWN
}

impl Parameters {
    /// Reads a list such as "depth=4,trust=0.5". The last value of a name counts.
    fn read(written: &str) -> Result<Self, String> {
        let mut read = Parameters::default();
        for word in written.split(',').filter(|word| !word.is_empty()) {
            let Some((name, number)) = name_and_number(word) else {
                return Err(format!(
                    "BALLCOURT_PARAMETERS is '{written}'; it must be NAME=NUMBER, several separated \
                     by commas, for example depth=4,trust=0.5"
                ));
            };
            match read.0.iter_mut().find(|(known, _)| known == name) {
                Some((_, value)) => *value = number.into(),
                None => read.0.push((name.into(), number.into())),
            }
        }
        Ok(read)
    }

    /// Returns the names of the parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the value of a parameter whose numbers in bot.toml are whole. If there is none, it
    /// ends the program with a sentence.
    pub fn whole(&self, name: &str) -> i64 {
        self.find_whole(name)
            .unwrap_or_else(|sentence| leave(1, sentence))
    }

    /// Returns the value of a parameter. If there is none, it ends the program with a sentence.
    pub fn number(&self, name: &str) -> f64 {
        let found = self.written(name).map(|written| written.parse());
        found
            .unwrap_or_else(|sentence| leave(1, sentence))
            .expect("it was read as a number")
    }

    fn find_whole(&self, name: &str) -> Result<i64, String> {
        let written = self.written(name)?;
        written.parse().map_err(|_| {
            format!(
                "the parameter '{name}' is {written}; it must be a whole number: write its default, \
                 least and most in bot.toml without a point"
            )
        })
    }

    fn written(&self, name: &str) -> Result<&str, String> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).ok_or_else(|| {
            let names: Vec<_> = self.names().collect();
            let declared = if names.is_empty() {
                "none".into()
            } else {
                names.join(", ")
            };
            format!("there is no parameter '{name}'; bot.toml declares {declared}")
        })
    }
}

fn name_and_number(word: &str) -> Option<(&str, &str)> {
    let (name, number) = word.split_once('=')?;
    let in_range = || number.parse().is_ok_and(|value: f64| value.abs() <= MOST);
    (!name.is_empty() && is_number(number) && in_range()).then_some((name, number))
}

/// Returns whether it is written as the protocol says: `f64` also reads "inf", "+1" and "1.".
fn is_number(written: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = written.strip_prefix('-').unwrap_or(written);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (before, after) = match mantissa.split_once('.') {
        Some((before, after)) => (before, Some(after)),
        None => (mantissa, None),
    };
    let unsigned_exponent = exponent.map(|part| part.strip_prefix(['+', '-']).unwrap_or(part));
    is_digits(before) && after.is_none_or(is_digits) && unsigned_exponent.is_none_or(is_digits)
}

fn leave(code: i32, sentence: impl Display) -> ! {
    eprintln!("{sentence}");
    exit(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_names_and_numbers_is_read() {
        let read = Parameters::read("depth=-4,,trust=2.5e-1,depth=5").unwrap();
        assert_eq!(read.names().collect::<Vec<_>>(), ["depth", "trust"]);
        assert_eq!((read.whole("depth"), read.number("trust")), (5, 0.25));
        assert_eq!(read.number("depth"), 5.0);
    }

    #[test]
    fn what_is_not_a_list_of_names_and_numbers_is_quoted() {
        for wrong in [
            "depth",
            "depth=",
            "=3",
            "depth=inf",
            "depth=+3",
            "depth=3.",
            "depth=1e16",
        ] {
            let sentence = Parameters::read(wrong).unwrap_err();
            assert!(sentence.contains(&format!("is '{wrong}'")), "{sentence}");
        }
    }

    #[test]
    fn a_parameter_of_another_name_or_type_is_named() {
        let read = Parameters::read("trust=3.0").unwrap();
        assert!(read.find_whole("trust").unwrap_err().contains("is 3.0"));
        let absent = read.find_whole("depth").unwrap_err();
        assert_eq!(
            absent,
            "there is no parameter 'depth'; bot.toml declares trust"
        );
    }
}
