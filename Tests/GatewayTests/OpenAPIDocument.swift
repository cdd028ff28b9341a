import Contracts
import Foundation
import HTTPTypes
import Testing
import Yams

@testable import Gateway

/// The description of the interface, as the gateway serves it.
struct OpenAPIDocument {
    let json: JSONValue

    init() async throws {
        let response = try await TestGateway().get("/openapi.yaml", key: nil)
        #expect(response.status == 200)
        #expect(response.headers[.contentType] == "application/yaml")
        let object = try #require(try Yams.load(yaml: response.text))
        json = try JSONDecoder().decode(JSONValue.self, from: JSONSerialization.data(withJSONObject: object))
    }

    subscript(_ path: String...) -> JSONValue? { json[path] }

    /// The names of an object's members; none where there is no object.
    func names(_ path: String...) -> Set<String> {
        if case .object(let members)? = json[path] { Set(members.keys) } else { [] }
    }
}

extension JSONValue {
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
