//! What may be typed into a number: `1/3`, `2*pi`, `sqrt(2)`, `-0,2`, `20°`.

/// Most parentheses and signs inside one another.
const MAX_DEPTH: usize = 64;

/// The number that a text stands for.
///
/// `+ - * / ^ ( )`, `pi`, `tau`, `e`, `sin`, `cos`, `sqrt`, `abs`; `°` or `deg` after a number turns degrees
/// into radians. A comma between digits is a decimal point.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn evaluate(text: &str) -> Result<f64, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("Type a number.".to_owned());
    }
    let mut parser = Parser { rest: text, depth: 0 };
    let value = parser.sum()?;
    parser.space();
    if let Some(odd) = parser.rest.chars().next() {
        return Err(format!("{odd:?} cannot stand there in a number."));
    }
    if value.is_finite() {
        Ok(value)
    } else {
        Err(format!("{text} is no finite number."))
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, sign: char) -> bool {
        self.space();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') || self.take('−') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.signed()?;
        loop {
            if self.take('*') || self.take('×') {
                value *= self.signed()?;
            } else if self.take('/') || self.take('÷') {
                let by = self.signed()?;
                if by == 0.0 {
                    return Err("Nothing can be divided by 0.".to_owned());
                }
                value /= by;
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<f64, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("That is too deeply nested.".to_owned());
        }
        let value = if self.take('-') || self.take('−') {
            -self.signed()?
        } else if self.take('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<f64, String> {
        let base = self.degrees()?;
        if self.take('^') {
            return Ok(base.powf(self.signed()?));
        }
        Ok(base)
    }

    fn degrees(&mut self) -> Result<f64, String> {
        let value = self.atom()?;
        self.space();
        let after = self
            .rest
            .strip_prefix('°')
            .or_else(|| self.rest.strip_prefix("deg"));
        Ok(match after {
            Some(rest) => {
                self.rest = rest;
                value.to_radians()
            }
            None => value,
        })
    }

    fn atom(&mut self) -> Result<f64, String> {
        self.space();
        if self.take('(') {
            return self.closed();
        }
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(self.rest.len());
        if end > 0 {
            let (name, rest) = self.rest.split_at(end);
            self.rest = rest;
            return self.named(&name.to_ascii_lowercase());
        }
        self.number()
    }

    fn closed(&mut self) -> Result<f64, String> {
        let value = self.sum()?;
        if self.take(')') {
            Ok(value)
        } else {
            Err("A closing parenthesis is missing.".to_owned())
        }
    }

    fn named(&mut self, name: &str) -> Result<f64, String> {
        let function: fn(f64) -> f64 = match name {
            "pi" => return Ok(std::f64::consts::PI),
            "tau" => return Ok(std::f64::consts::TAU),
            "e" => return Ok(std::f64::consts::E),
            "sin" => f64::sin,
            "cos" => f64::cos,
            "sqrt" => f64::sqrt,
            "abs" => f64::abs,
            _ => return Err(format!("{name:?} is no number.")),
        };
        if !self.take('(') {
            return Err(format!("{name} needs parentheses: {name}(2)."));
        }
        Ok(function(self.closed()?))
    }

    fn number(&mut self) -> Result<f64, String> {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        if matches!(bytes.get(end), Some(b'.' | b',')) {
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            if exponent > 0 {
                end += 1 + sign + exponent;
            }
        }
        let (text, rest) = self.rest.split_at(end);
        if rest.starts_with(['.', ',']) {
            return Err("Use one decimal point and no sign between thousands.".to_owned());
        }
        let value = text.replace(',', ".").parse();
        match value {
            Ok(value) => {
                self.rest = rest;
                Ok(value)
            }
            Err(_) => Err(match self.rest.chars().next() {
                Some(odd) => format!("{odd:?} cannot stand there in a number."),
                None => "A number is missing at the end.".to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes() {
        for (text, value) in [
            ("1/3", 1.0 / 3.0),
            ("2*pi", std::f64::consts::TAU),
            (" sqrt( 2 ) ", 2.0_f64.sqrt()),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("1 + 2 * 3 - 4 / 2", 5.0),
            ("(1+2)*3", 9.0),
            ("1e-7", 1e-7),
            ("0,2", 0.2),
            (".5", 0.5),
            ("180°", std::f64::consts::PI),
            ("90 deg", std::f64::consts::FRAC_PI_2),
            ("−3", -3.0),
            ("cos(0)*e", std::f64::consts::E),
        ] {
            let got = evaluate(text).unwrap();
            assert!((got - value).abs() < 1e-12, "{text}: {got}");
        }
    }

    #[test]
    fn refuses_with_a_sentence() {
        for text in [
            "", "1/0", "two", "1.000,5", "1,000.5", "(1", "1)", "sqrt 2", "1 2", "nan", "inf", "1e999",
            "sqrt(-1)", "+", "°",
        ] {
            let sentence = evaluate(text).unwrap_err();
            assert!(sentence.ends_with('.'), "{text}: {sentence}");
        }
        assert!(evaluate(&"(".repeat(100_000)).is_err());
        assert!(evaluate(&"-".repeat(100_000)).is_err());
    }
}
