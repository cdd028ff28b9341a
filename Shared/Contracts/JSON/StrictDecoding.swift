/// Decoding of hand-written files: each fault is a `DecodingError` at its place that says what to do.
extension Decoder {
    /// The members of an object; all must be known.
    ///
    /// - Throws: `DecodingError` at the first unknown name, with the known names.
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

    /// The value of a text.
    ///
    /// - Throws: `DecodingError` with the text and `problem` when there is no such value.
    package func value<Value>(ofText parse: (String) -> Value?, or problem: String) throws -> Value {
        let text = try singleValueContainer().decode(String.self)
        guard let value = parse(text) else { throw fault("\"\(text)\" \(problem)") }
        return value
    }

    /// An error about the decoded value, or one inside it.
    package func fault(_ problem: String, at way: JSONText.Step...) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath + way, debugDescription: problem))
    }
}

extension KeyedDecodingContainer {
    /// An optional member; null is a type error.
    package func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        contains(key) ? try decode(Value.self, forKey: key) : nil
    }

    /// An optional whole number.
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
            // JSONDecoder's error for 1.5 names no member.
            throw fault("must be a whole number from \(range.lowerBound) to \(range.upperBound)", at: key)
        }
        guard range.contains(number) else {
            let limits = "from \(range.lowerBound) to \(range.upperBound)"
            throw fault("is \(number), but must be \(limits)", at: key)
        }
        return number
    }

    /// An error about a member.
    package func fault(_ problem: String, at key: Key) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
    }
}

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
