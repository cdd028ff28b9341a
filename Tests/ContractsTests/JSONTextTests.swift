import Foundation
import Contracts
import Testing

@Suite struct `where things stand in a JSON text` {
    private static let text = """
        {
          "apps": [
            {"keys": [1, "ä", {"se\\u0063ret": null}]}
          ],
          "http": {}
        }

        """

    private static func place(_ way: JSONText.Step...) throws -> String {
        try JSONText(text.utf8).place(of: way).description
    }

    @Test func `a value has the line and column of its first character`() throws {
        #expect(try Self.place() == "line 1, column 1")
        #expect(try Self.place(.member("apps")) == "line 2, column 11")
        #expect(try Self.place(.member("apps"), .element(0), .member("keys")) == "line 3, column 14")
        let keys: [JSONText.Step] = [.member("apps"), .element(0), .member("keys")]
        #expect(try JSONText(Self.text.utf8).place(of: keys + [.element(1)]).column == 18)
        // One character, whatever its bytes and however the name is written.
        let secret = keys + [.element(2), .member("secret")]
        #expect(try JSONText(Self.text.utf8).place(of: secret).column == 39)
    }

    @Test func `what is missing is looked for where it should be`() throws {
        #expect(try Self.place(.member("http"), .member("listen")) == "line 5, column 11")
        #expect(try Self.place(.member("none")) == "line 1, column 1")
    }

    @Test(arguments: [
        ("", "line 1, column 1: the text ends where a value should be"),
        ("{\n  \"a\": 1,\n}", "line 3, column 1: '}' is where the name of a member should be"),
        ("{\"a\" 1}", "line 1, column 6: '1' is where a colon should be"),
        ("[1 2]", "line 1, column 4: '2' is where a comma or ] should be"),
        ("{\"a\": tru}", "line 1, column 7: 't' is where true, false or null should be"),
        ("[1.]", "line 1, column 4: ']' is where a digit should be"),
        ("{\"a\": \"b\n\"}", "line 1, column 9: a string is not closed on its line"),
        ("{\"a\": \"b", "line 1, column 7: a string is not closed"),
        ("{} {}", "line 1, column 4: there is more after the end of the value"),
        ("[\"\\x\"]", "line 1, column 2: a string has an escape or a byte that no string may have"),
    ]) func `what is not JSON is told with its place`(text: String, fault: String) {
        let error = #expect(throws: JSONText.Fault.self) { try JSONText(text.utf8) }
        #expect(error?.description == fault)
    }

    /// The diagnosis must not be without words for a text that is not taken. (Foundation takes `[1,]`, which is none.)
    @Test(arguments: [
        "0", "-1.5e+3", "[]", "{}", " [ 1 , 2 ] ", "\"\\u00e4\\n\"", "[[[[]]]]",
        "{\"a\":{\"b\":[true,false,null]}}",
        "01", "[01]", "+1", "1.", ".5", "1e", "nul", "{,}", "{\"a\":}", "{1:2}", "[", "}",
        "'a'",
    ]) func `it finds a fault in exactly the texts that are not taken`(text: String) {
        let isTaken: Bool
        do {
            _ = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            isTaken = true
        } catch {
            isTaken = false
        }
        var isFaultless = true
        do throws(JSONText.Fault) { _ = try JSONText(text.utf8) } catch { isFaultless = false }
        #expect(isTaken == isFaultless, "\(text)")
    }

    @Test func `nesting without end is a fault, not a crash`() {
        let text = String(repeating: "[", count: 100_000)
        let error = #expect(throws: JSONText.Fault.self) { try JSONText(text.utf8) }
        #expect(error?.problem == "nested too deeply")
    }
}
