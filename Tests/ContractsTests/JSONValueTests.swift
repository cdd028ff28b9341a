import Foundation
import Contracts
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

    @Test func `is read however deep it is, as its door has judged that, and in every place`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
        }
        for levels in [0, 1, 8, 25, 100] {
            #expect(try decode(nested(levels)).levels == levels)
            let value = JSONValue.object(["a": .array([.null, try decode(nested(levels))])])
            #expect(value.levels == levels + 2)
            #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
        }
    }
}
