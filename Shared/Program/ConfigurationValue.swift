import Contracts
import Foundation

/// One value of a configuration file, and where it stands; reading it is strict and says what is wrong.
struct ConfigurationValue {
    let file: String
    let path: String
    let value: JSONValue

    /// The whole content of a file.
    init(contentsOf file: String) throws(ConfigurationError) {
        self.file = file
        path = ""
        value = try Self.parse(try Self.read(file), file: file)
    }

    /// A file's content that is at hand already.
    init(_ text: String, file: String) throws(ConfigurationError) {
        self.file = file
        path = ""
        value = try Self.parse(Data(text.utf8), file: file)
    }

    private init(file: String, path: String, value: JSONValue) {
        self.file = file
        self.path = path
        self.value = value
    }

    func fault(_ problem: String) -> ConfigurationError {
        ConfigurationError(file: file, member: path.isEmpty ? nil : path, problem: problem)
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
            ConfigurationValue(file: file, path: "\(path)[\(index)]", value: value)
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
        ConfigurationValue(file: file, path: path.isEmpty ? name : "\(path).\(name)", value: value)
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
    private static func read(_ file: String) throws(ConfigurationError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: file))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw ConfigurationError(file: file, problem: "is missing; make a home with `counterfoil init`")
        } catch {
            throw ConfigurationError(file: file, problem: "cannot be read; check its owner and mode")
        }
    }

    private static func parse(_ bytes: Data, file: String) throws(ConfigurationError) -> JSONValue {
        do {
            return try JSONDecoder().decode(JSONValue.self, from: bytes)
        } catch DecodingError.dataCorrupted(let context) {
            let details = (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
            throw ConfigurationError(
                file: file,
                problem: "is not JSON (\(details ?? context.debugDescription))"
            )
        } catch {
            throw ConfigurationError(file: file, problem: "is not JSON; correct it")
        }
    }
}
