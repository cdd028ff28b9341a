import Contracts
import Foundation
import Testing

@Suite struct `any JSON value` {
    private func decode(_ json: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    }

    @Test func `comes back as what it was`() throws {
        let json = #"{"a":[1,-2.5,true,false,null,"1",{},[],{"b":[[0]]}],"c":9007199254740993,"d":"","1":1}"#
        let value = try decode(json)
        let elements: [JSONValue] = [
            .integer(1), .number(-2.5), .bool(true), .bool(false), .null, .string("1"), .object([:]),
            .array([]),
            .object(["b": .array([.array([.integer(0)])])]),
        ]
        let members: [String: JSONValue] = [
            "a": .array(elements), "c": .integer(9_007_199_254_740_993), "d": .string(""), "1": .integer(1),
        ]
        #expect(value == .object(members))
        #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
    }

    @Test func `is refused where it is nested too deeply`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try decode(nested(24)) }
        #expect(throws: DecodingError.self) { try decode(nested(25)) }
        #expect(throws: DecodingError.self) { try decode(nested(400)) }
    }
}
