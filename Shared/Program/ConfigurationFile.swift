import FoundationEssentials
package import Contracts

/// Decodes the JSON files of a home; each fault states its place and what to write.
enum ConfigurationFile {
    /// Refuses placeholders that were not replaced: in the whole file, or in this member of it alone.
    static func decode<Content: Decodable>(
        _ type: Content.Type,
        from bytes: Data,
        file: String,
        member: String? = nil,
        isTest: Bool = false
    ) throws(ConfigurationError) -> Content {
        let decoder = JSONDecoder()
        if let isTestHomeKey { decoder.userInfo[isTestHomeKey] = isTest }
        var content = JSONValue.null
        do {
            content = try decoder.decode(JSONValue.self, from: bytes)
            try content.checkReplaced(in: member)
            return try decoder.decode(type, from: bytes)
        } catch {
            throw ConfigurationError(error, of: file, content, bytes)
        }
    }

    /// The bytes of a file; `advice` is for a missing one, `note` ends what is said of one that cannot be read.
    static func contents(
        _ file: String,
        otherwise advice: String,
        note: String = ""
    ) throws(ConfigurationError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: file))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw ConfigurationError(file: file, problem: "is missing; \(advice)")
        } catch {
            let reason = FileAccess.reason(file) ?? "check its owner and mode"
            throw ConfigurationError(file: file, problem: "cannot be read: \(reason)\(note)")
        }
    }
}

private let isTestHomeKey = CodingUserInfoKey(rawValue: "isTestHome")

extension Decoder {
    var isTestHome: Bool { isTestHomeKey.flatMap { userInfo[$0] as? Bool } ?? false }
}

extension ConfigurationError {
    /// Describes a decoding error of a file: the field, what is wrong with it, and what to write.
    fileprivate init(_ error: any Error, of file: String, _ content: JSONValue, _ bytes: Data) {
        let text: JSONText
        do throws(JSONText.Fault) {
            text = try JSONText(bytes)
        } catch {
            self.init(file: file, place: error.place, problem: "is not JSON: \(error.problem)")
            return
        }
        guard let (way, problem) = (error as? DecodingError)?.explained(in: content) else {
            self.init(file: file, problem: "cannot be read: \(error)")
            return
        }
        let member = way.isEmpty ? nil : way.text
        self.init(file: file, place: text.place(of: way), member: member, problem: problem)
    }
}

extension DecodingError {
    fileprivate func explained(in content: JSONValue) -> (way: [JSONText.Step], problem: String) {
        switch self {
        case .keyNotFound(let key, let context):
            return ((context.codingPath + [key]).steps, "is missing; add it")
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            let way = context.codingPath.steps
            let kind = content.value(at: way)?.kind ?? "absent"
            return (way, "must be \(Self.jsonName(of: type)), but is \(kind)")
        case .dataCorrupted(let context):
            let description = context.debugDescription
            let isIdentifier = description.hasPrefix("not a valid")
            return (context.codingPath.steps, isIdentifier ? "is \(description); correct it" : description)
        @unknown default: return ([], "\(self)")
        }
    }
}

extension JSONValue {
    /// The value at a path; nil when there is none.
    package func value(at way: [JSONText.Step]) -> JSONValue? {
        way.reduce(self) { value, step in
            switch (value, step) {
            case (.object(let members)?, .member(let name)): members[name]
            case (.array(let values)?, .element(let index)) where values.indices.contains(index):
                values[index]
            default: nil
            }
        }
    }

    /// The kind of value, for error messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Refuses a file copied from the examples, or one member of it, that is not filled in; lists what shows it.
    fileprivate func checkReplaced(in member: String?) throws {
        let way = [member.map(JSONText.Step.member)].compactMap(\.self)
        let left = value(at: way)?.unreplaced(at: way) ?? []
        guard let first = left.first else { return }
        let places = left.map(\.text).joined(separator: ", ")
        let problem = "replace what begins with REPLACE in \(places) by values of your own"
        throw DecodingError.dataCorrupted(.init(codingPath: first, debugDescription: problem))
    }

    private func unreplaced(at way: [JSONText.Step]) -> [[JSONText.Step]] {
        switch self {
        case .string(let text): text.contains("REPLACE_") ? [way] : []
        case .array(let values):
            values.enumerated().flatMap { $1.unreplaced(at: way + [.element($0)]) }
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { $1.unreplaced(at: way + [.member($0)]) }
        case .null, .bool, .integer, .number: []
        }
    }
}
