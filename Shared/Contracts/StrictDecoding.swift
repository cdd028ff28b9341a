/// Decoding of files that people write: what is wrong is a `DecodingError` at its place, in words that say what to do.
extension Decoder {
    /// The members of an object, all of which must be known.
    ///
    /// - Throws: `DecodingError` at the first unknown name; it lists the known ones.
    package func strictContainer<Key: CodingKey & CaseIterable>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        let known = type.allCases.map(\.stringValue)
        let names = try container(keyedBy: JSONText.Step.self).allKeys.map(\.stringValue)
        for name in names.sorted() where !known.contains(name) {
            let problem = "is not a known member; remove it (known here: \(known.joined(separator: ", ")))"
            throw fault(problem, at: .member(name))
        }
        return try container(keyedBy: type)
    }

    /// The value that a text stands for.
    ///
    /// - Throws: `DecodingError` that repeats the text and says `problem`, when there is no such value.
    package func value<Value>(ofText parse: (String) -> Value?, or problem: String) throws -> Value {
        let text = try singleValueContainer().decode(String.self)
        guard let value = parse(text) else { throw fault("\"\(text)\" \(problem)") }
        return value
    }

    /// What is wrong with the value that is decoded, or with one inside it.
    package func fault(_ problem: String, at way: JSONText.Step...) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath + way, debugDescription: problem))
    }
}

extension KeyedDecodingContainer {
    /// A member that may be absent; null is a value of the wrong type.
    package func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        contains(key) ? try decode(Value.self, forKey: key) : nil
    }

    /// A whole number that may be absent.
    package func optional<Number: FixedWidthInteger & Decodable>(
        _ key: Key,
        in range: ClosedRange<Number>
    ) throws -> Number? {
        guard contains(key) else { return nil }
        let number: Number
        do {
            number = try decode(Number.self, forKey: key)
        } catch DecodingError.typeMismatch(let type, let context) {
            throw DecodingError.typeMismatch(type, context)
        } catch {
            // JSONDecoder throws an error of its own for 1.5, which names no member.
            throw fault("must be a whole number from \(range.lowerBound) to \(range.upperBound)", at: key)
        }
        guard range.contains(number) else {
            let limits = "from \(range.lowerBound) to \(range.upperBound)"
            throw fault("is \(number), but must be \(limits)", at: key)
        }
        return number
    }

    /// What is wrong with a member.
    package func fault(_ problem: String, at key: Key) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
    }
}

/// A step is a key of any container.
extension JSONText.Step: CodingKey {
    package init?(stringValue: String) { self = .member(stringValue) }

    package init?(intValue: Int) { self = .element(intValue) }

    /// The member's name.
    package var stringValue: String {
        switch self {
        case .member(let name): name
        case .element(let index): "Index \(index)"
        }
    }

    package var intValue: Int? { if case .element(let index) = self { index } else { nil } }
}
