import Contracts
import Foundation

/// One value of a configuration file, and where it stands; reading it is strict and says what is wrong.
struct ConfigurationValue {
    /// The text that a value is part of.
    private struct Source {
        let file: String
        let bytes: Data
    }

    let value: JSONValue
    private let source: Source
    private let way: [JSONText.Step]

    /// The whole content of a file.
    init(_ bytes: Data, file: String) throws(ConfigurationError) {
        source = Source(file: file, bytes: bytes)
        way = []
        value = try Self.parse(bytes, file: file)
    }

    /// A file's content that is at hand already.
    init(_ text: String, file: String) throws(ConfigurationError) {
        try self.init(Data(text.utf8), file: file)
    }

    private init(_ source: Source, _ way: [JSONText.Step], _ value: JSONValue) {
        self.source = source
        self.way = way
        self.value = value
    }

    func fault(_ problem: String) -> ConfigurationError {
        ConfigurationError(
            file: source.file,
            place: place,
            member: way.isEmpty ? nil : way.text,
            problem: problem
        )
    }

    /// Where the value stands; of one that is missing, what should have it.
    private var place: JSONText.Place? {
        do throws(JSONText.Fault) { return try JSONText(source.bytes).place(of: way) } catch { return nil }
    }

    /// The members of an object, all of which must be among `known`.
    func object(_ known: [String]) throws(ConfigurationError) -> ConfigurationObject {
        guard case .object(let members) = value else { throw mismatch("an object") }
        for name in members.keys.sorted() where !known.contains(name) {
            let joined = known.joined(separator: ", ")
            throw child(name, .null).fault("is not a known member; remove it (known here: \(joined))")
        }
        return ConfigurationObject(owner: self, members: members)
    }

    func array() throws(ConfigurationError) -> [ConfigurationValue] {
        guard case .array(let values) = value else { throw mismatch("an array") }
        return values.enumerated().map { index, value in
            ConfigurationValue(source, way + [.element(index)], value)
        }
    }

    func string() throws(ConfigurationError) -> String {
        guard case .string(let text) = value else { throw mismatch("a string") }
        return text
    }

    func integer<Number: FixedWidthInteger>(
        in range: ClosedRange<Number>
    ) throws(ConfigurationError) -> Number {
        guard case .integer(let number) = value else { throw mismatch("a whole number") }
        guard let exact = Number(exactly: number), range.contains(exact) else {
            throw fault("is \(number), but must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return exact
    }

    func identifier<Identifier: TextIdentifier>(
        _ type: Identifier.Type,
        _ name: String
    ) throws(ConfigurationError) -> Identifier {
        let text = try string()
        guard let identifier = Identifier(rawValue: text) else {
            throw fault("\"\(text)\" is not \(name); correct it")
        }
        return identifier
    }

    /// One of the cases of an enumeration by its name in JSON.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type
    ) throws(ConfigurationError) -> Choice where Choice.RawValue == String {
        let text = try string()
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw fault("is \"\(text)\", but must be one of \(known)")
        }
        return choice
    }

    func mismatch(_ wanted: String) -> ConfigurationError { fault("must be \(wanted), but is \(kind)") }

    func child(_ name: String, _ value: JSONValue) -> ConfigurationValue {
        ConfigurationValue(source, way + [.member(name)], value)
    }

    /// Refuses a file that was copied from the examples and not filled in; names all members where that shows.
    func checkReplaced() throws(ConfigurationError) {
        let left = unreplaced
        guard let first = left.first else { return }
        let names = left.map(\.way.text).joined(separator: ", ")
        throw first.fault("replace REPLACE in \(names) by values of your own")
    }

    /// The strings that still say what the examples say.
    private var unreplaced: [ConfigurationValue] {
        switch value {
        case .string(let text): text == "REPLACE" || text.contains("_REPLACE.") ? [self] : []
        case .array(let values):
            values.enumerated().flatMap { index, value in
                ConfigurationValue(source, way + [.element(index)], value).unreplaced
            }
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { child($0.key, $0.value).unreplaced }
        case .null, .bool, .integer, .number: []
        }
    }

    private var kind: String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The members of one object of a configuration file.
struct ConfigurationObject {
    let owner: ConfigurationValue
    let members: [String: JSONValue]

    /// A member that may be absent.
    subscript(name: String) -> ConfigurationValue? {
        members[name].map { owner.child(name, $0) }
    }

    /// A member that must be there.
    func required(_ name: String) throws(ConfigurationError) -> ConfigurationValue {
        guard let member = self[name] else { throw owner.child(name, .null).fault("is missing; add it") }
        return member
    }
}

extension ConfigurationValue {
    private static func parse(_ bytes: Data, file: String) throws(ConfigurationError) -> JSONValue {
        do {
            return try JSONDecoder().decode(JSONValue.self, from: bytes)
        } catch {
            do throws(JSONText.Fault) {
                _ = try JSONText(bytes)
            } catch {
                throw ConfigurationError(
                    file: file,
                    place: error.place,
                    problem: "is not JSON: \(error.problem)"
                )
            }
            throw ConfigurationError(file: file, problem: "is not JSON that can be read (\(detail(error)))")
        }
    }

    private static func detail(_ error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "correct it" }
        let details = (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
        return details ?? context.debugDescription
    }
}
