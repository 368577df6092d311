//! Parses the tokens of an expression by recursive descent. From weak to strong: `or`, `and`, `not`, comparisons, `+`
//! and `-`, `*` and `/`, the sign, members.

use gen_core::suggestions::{format_likely, likely};

use super::lexer::{Token, tokens};
use super::node::{Aggregate, FieldName, Function, Node, Operator};

/// Levels of nesting at most. Bounds the stack; no rule of a person needs more.
const MAX_DEPTH: usize = 32;

/// The tree of an expression, or what is wrong with it.
pub(super) fn parse(source: &str) -> Result<Node, String> {
    let mut parser = Parser { tokens: tokens(source)?, at: 0, depth: 0 };
    let node = parser.either()?;
    match parser.peek() {
        None => Ok(node),
        Some(token) => Err(format!("{} is not expected here", describe(token))),
    }
}

#[derive(Debug)]
struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// Takes the next token if it is one of these signs or keywords.
    fn take(&mut self, signs: &[&str]) -> bool {
        let is = match self.peek() {
            Some(Token::Sign(sign)) => signs.contains(sign),
            Some(Token::Name { name, is_quoted: false }) => signs.contains(&name.as_str()),
            _ => false,
        };
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), String> {
        if self.take(&[sign]) {
            return Ok(());
        }
        Err(self.peek().map_or_else(
            || format!("'{sign}' is missing at the end"),
            |token| format!("'{sign}' is missing before {}", describe(token)),
        ))
    }

    /// A whole expression; what nests passes through here.
    fn either(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("an expression may be nested {MAX_DEPTH} levels deep at most"));
        }
        let mut left = self.both()?;
        while self.take(&["or", "||"]) {
            left = binary(Operator::Or, left, self.both()?);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn both(&mut self) -> Result<Node, String> {
        let mut left = self.negation()?;
        while self.take(&["and", "&&"]) {
            left = binary(Operator::And, left, self.negation()?);
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Node, String> {
        let mut count = 0_usize;
        while self.take(&["not", "!"]) {
            count += 1;
        }
        let node = self.comparison()?;
        // Two of them cancel each other, up to the kind of the operand, which one alone shows.
        Ok(match (count, count % 2) {
            (0, _) => node,
            (_, 1) => Node::Not(Box::new(node)),
            _ => Node::Not(Box::new(Node::Not(Box::new(node)))),
        })
    }

    fn comparison(&mut self) -> Result<Node, String> {
        let left = self.sum()?;
        let Some(operator) = self.comparison_operator() else { return Ok(left) };
        let right = self.sum()?;
        if self.comparison_operator().is_some() {
            return Err("comparisons cannot be chained; join them with 'and'".to_owned());
        }
        Ok(binary(operator, left, right))
    }

    fn comparison_operator(&mut self) -> Option<Operator> {
        let signs: [(&[&str], Operator); 6] = [
            (&["==", "="], Operator::Equal),
            (&["!="], Operator::Unequal),
            (&["<="], Operator::LessOrEqual),
            (&[">="], Operator::GreaterOrEqual),
            (&["<"], Operator::Less),
            (&[">"], Operator::Greater),
        ];
        signs.into_iter().find(|(signs, _)| self.take(signs)).map(|(_, operator)| operator)
    }

    fn sum(&mut self) -> Result<Node, String> {
        let mut left = self.product()?;
        loop {
            let operator = match () {
                () if self.take(&["+"]) => Operator::Add,
                () if self.take(&["-"]) => Operator::Subtract,
                () => return Ok(left),
            };
            left = binary(operator, left, self.product()?);
        }
    }

    fn product(&mut self) -> Result<Node, String> {
        let mut left = self.signed()?;
        loop {
            let operator = match () {
                () if self.take(&["*"]) => Operator::Multiply,
                () if self.take(&["/"]) => Operator::Divide,
                () => return Ok(left),
            };
            left = binary(operator, left, self.signed()?);
        }
    }

    fn signed(&mut self) -> Result<Node, String> {
        if self.take(&["-"]) {
            return Ok(Node::Negative(Box::new(self.members()?)));
        }
        self.members()
    }

    /// A value with members and aggregates after it.
    fn members(&mut self) -> Result<Node, String> {
        let mut node = self.primary()?;
        while self.take(&["."]) {
            let Some(Token::Name { name, .. }) = self.peek().cloned() else {
                return Err("a name must follow '.'".to_owned());
            };
            self.at += 1;
            if !self.take(&["("]) {
                node = Node::Member(Box::new(node), FieldName::new(name));
                continue;
            }
            let aggregate = Aggregate::of_name(&name).ok_or_else(|| {
                format!(
                    "'{name}' is no function of lists{}",
                    format_likely(likely(&name, Aggregate::names()))
                )
            })?;
            let argument = match self.take(&[")"]) {
                true => Node::Item { is_date: false },
                false => {
                    let argument = self.either()?;
                    self.expect(")")?;
                    argument
                }
            };
            node = Node::Aggregate(aggregate, Box::new(node), Box::new(argument));
        }
        Ok(node)
    }

    fn primary(&mut self) -> Result<Node, String> {
        if self.take(&["("]) {
            let inner = self.either()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let token = self.peek().cloned().ok_or("a value is missing at the end")?;
        self.at += 1;
        match token {
            Token::Number(number) => Ok(Node::Number(number)),
            Token::Text(text) => Ok(Node::Text(text)),
            Token::Name { name, is_quoted: false } if self.take(&["("]) => self.call(&name),
            Token::Name { name, is_quoted } => Ok(match name.as_str() {
                "true" | "false" if !is_quoted => Node::Bool(name == "true"),
                "null" if !is_quoted => Node::Null,
                _ => Node::Name(FieldName::new(name)),
            }),
            token @ Token::Sign(_) => Err(format!("a value is missing before {}", describe(&token))),
        }
    }

    fn call(&mut self, name: &str) -> Result<Node, String> {
        let function = Function::of_name(name).ok_or_else(|| {
            format!("'{name}' is no function{}", format_likely(likely(name, Function::names())))
        })?;
        let mut arguments = Vec::new();
        if !self.take(&[")"]) {
            loop {
                arguments.push(self.either()?);
                if !self.take(&[","]) {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(Node::Call(function, arguments))
    }
}

fn binary(operator: Operator, left: Node, right: Node) -> Node {
    Node::Binary(operator, Box::new(left), Box::new(right))
}

fn describe(token: &Token) -> String {
    match token {
        Token::Number(number) => format!("'{number}'"),
        Token::Text(text) => format!("'{text}'"),
        Token::Name { name, .. } => format!("'{name}'"),
        Token::Sign(sign) => format!("'{sign}'"),
    }
}
