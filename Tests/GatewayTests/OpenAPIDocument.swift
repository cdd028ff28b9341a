import Contracts
import HTTPTypes
import Testing
import Yams

/// The description of the interface, as the gateway serves it; or of what is for operators, on their listener.
struct OpenAPIDocument {
    let json: JSONValue
    let text: String

    init(forOperators: Bool = false) async throws {
        let gateway = TestGateway()
        let response =
            try await forOperators
            ? gateway.getAsOperator("/openapi.yaml") : gateway.get("/openapi.yaml", key: nil)
        text = response.text
        #expect(response.status == 200)
        #expect(response.headers[.contentType] == "application/yaml")
        json = JSONValue(yaml: try #require(try Yams.load(yaml: text)))
    }

    subscript(_ path: String...) -> JSONValue? { json[path] }

    /// Its methods and paths.
    var described: Set<String> {
        let paths = json[["paths"]]?.names ?? []
        return Set(paths.flatMap { path in json[["paths", path]]?.names.map { "\($0) \(path)" } ?? [] })
    }
}

extension JSONValue {
    /// A value of a YAML document; what JSON does not have is null.
    fileprivate init(yaml value: Any) {
        switch value {
        case let members as [AnyHashable: Any]:
            let pairs = members.map { ("\($0.key)", JSONValue(yaml: $0.value)) }
            self = .object(Dictionary(pairs) { first, _ in first })
        case let elements as [Any]: self = .array(elements.map { JSONValue(yaml: $0) })
        case let text as String: self = .string(text)
        case let flag as Bool: self = .bool(flag)
        case let number as Int: self = .integer(Int64(number))
        case let number as Double: self = .number(number)
        default: self = .null
        }
    }

    /// The names of an object's members; none where there is no object.
    var names: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }

    /// A member or element, by its path.
    subscript(_ path: [String]) -> JSONValue? {
        path.reduce(self) { value, name in
            switch (value, Int(name)) {
            case (.object(let members), _): members[name]
            case (.array(let values), let index?) where values.indices.contains(index): values[index]
            default: nil
            }
        }
    }
}
