import Contracts
import Testing

@testable import Program

@Suite struct `what counterfoil.json says` {
    private static func app(_ members: String = "") -> String {
        #"{"bundleId":"com.example.game","keys":[{"id":"a","secret":"0123456789abcdef"}]\#(members)}"#
    }

    private static func file(_ apps: String = app(), _ members: String = "") -> String {
        #"{"apps":[\#(apps)]\#(members)}"#
    }

    @Test func `what is left out has a default`() throws {
        let configuration = try Configuration(json: Self.file())
        #expect(configuration.partitions == 4)
        #expect(configuration.http.listen.description == "127.0.0.1:8080")
        let app = try #require(configuration.apps.first)
        #expect(app.environments == [.production, .sandbox])
        #expect(app.sandbox == .separate)
        #expect(app.webhook == nil)
    }

    @Test func `everything that can be said is understood`() throws {
        let members = #"""
            ,"appAppleId":123,"environments":["Production"],"sandbox":{"grantTo":["reviewer"]},
            "webhook":{"url":"https://example.com/hook","secret":"fedcba9876543210"}
            """#
        let text = Self.file(Self.app(members), #","partitions":7,"http":{"listen":"[::1]:0"}"#)
        let configuration = try Configuration(json: text)
        #expect(configuration.partitions == 7)
        #expect(configuration.http.listen == ListenAddress(host: "::1", port: 0))
        let app = try #require(configuration.apps.first)
        #expect(app.appAppleId == 123)
        let reviewer = try #require(BuyerID(rawValue: "reviewer"))
        let other = try #require(BuyerID(rawValue: "other"))
        #expect(app.sandbox.grants(to: reviewer))
        #expect(!app.sandbox.grants(to: other))
        #expect(app.webhook?.url == "https://example.com/hook")
    }

    struct Fault: Sendable {
        let text: String
        let member: String?
        let says: String

        init(_ text: String, at member: String?, says: String) {
            self.text = text
            self.member = member
            self.says = says
        }
    }

    static let faults: [Fault] = [
        Fault("[", at: nil, says: "is not JSON"),
        Fault("[]", at: nil, says: "must be an object, but is an array"),
        Fault("{}", at: "apps", says: "is missing"),
        Fault(file(""), at: "apps", says: "names no app"),
        Fault(file(app(), #","partition":4"#), at: "partition", says: "is not a known member"),
        Fault(
            file(app(), #","partitions":"4""#),
            at: "partitions",
            says: "must be a whole number, but is a string"
        ),
        Fault(file(app(), #","partitions":0"#), at: "partitions", says: "must be from 1 to 256"),
        Fault(file(app(), #","partitions":257"#), at: "partitions", says: "must be from 1 to 256"),
        Fault(file(app(), #","http":{"listen":"8080"}"#), at: "http.listen", says: "write host:port"),
        Fault(
            file(app(), #","http":{"listen":"localhost:65536"}"#),
            at: "http.listen",
            says: "write host:port"
        ),
        Fault(file(app(), #","http":{"port":1}"#), at: "http.port", says: "is not a known member"),
        Fault(file(app(), #","extraRoots":["a.der"]"#), at: "extraRoots", says: "init --test"),
        Fault(file(app(), #","extraRoots":[1]"#), at: "extraRoots[0]", says: "must be a string"),
        Fault(file("\(app()),\(app())"), at: "apps", says: "com.example.game twice"),
        Fault(file(#"{"keys":[]}"#), at: "apps[0].bundleId", says: "is missing"),
        Fault(file(#"{"bundleId":"a b","keys":[]}"#), at: "apps[0].bundleId", says: "is not a bundle id"),
        Fault(file(#"{"bundleId":"a","keys":[]}"#), at: "apps[0].keys", says: "names no key"),
        Fault(file(app(#","environments":["Xcode"]"#)), at: "apps[0].environments[0]", says: "is \"Xcode\""),
        Fault(file(app(#","environments":[]"#)), at: "apps[0].environments", says: "names no environment"),
        Fault(file(app(#","sandbox":"grant""#)), at: "apps[0].sandbox", says: "refuse"),
        Fault(
            file(app(#","sandbox":{"grantTo":[""]}"#)),
            at: "apps[0].sandbox.grantTo[0]",
            says: "a buyer's id"
        ),
        Fault(file(app(#","appAppleId":-1"#)), at: "apps[0].appAppleId", says: "is -1"),
        Fault(file(app(#","webhook":{"url":"x"}"#)), at: "apps[0].webhook.secret", says: "is missing"),
        Fault(
            file(app(#","webhook":{"url":"ftp://x","secret":"0123456789abcdef"}"#)),
            at: "apps[0].webhook.url",
            says: "write https://"
        ),
        Fault(
            file(#"{"bundleId":"a","keys":[{"id":"k","secret":"short"}]}"#),
            at: "apps[0].keys[0].secret",
            says: "has 5 characters, but must have at least 16"
        ),
        Fault(
            file(#"{"bundleId":"a","keys":[{"id":"k","secret":"0123456789abcdef0\n"}]}"#),
            at: "apps[0].keys[0].secret",
            says: "visible ASCII"
        ),
    ]

    @Test(arguments: faults) func `what is wrong is named in one line`(fault: Fault) throws {
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: fault.text) }
        #expect(error.member == fault.member)
        #expect(error.description.contains(fault.says))
        #expect(error.description.hasPrefix("counterfoil.json: "))
        #expect(!error.description.contains("\n"))
        #expect(error.exitCode == 2)
    }

    @Test func `what is wrong has a line and a column`() throws {
        let text = "{\n  \"apps\": [\n    {\"bundleId\": 7}\n  ]\n}"
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        #expect(
            error.description.hasPrefix("counterfoil.json: line 3, column 18: apps[0].bundleId: must be"),
            "\(error)"
        )
        let missing = text.replacing("\"bundleId\": 7", with: "\"keys\": []")
        let absent = try #require(throws: ConfigurationError.self) { try Configuration(json: missing) }
        #expect(
            absent.description.hasPrefix("counterfoil.json: line 3, column 5: apps[0].bundleId: is missing"),
            "\(absent)"
        )
    }

    @Test func `a secret is never part of what is said`() throws {
        let text = Self.file(
            Self.app() + "," + Self.app().replacing("com.example.game", with: "com.example.b")
        )
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        #expect(error.description.contains("two keys"))
        #expect(!error.description.contains("0123456789abcdef"))
    }

    @Test func `extra roots are accepted in a test home`() throws {
        let configuration = try Configuration(
            json: Self.file(Self.app(), #","extraRoots":["a.der"]"#),
            isTest: true
        )
        #expect(configuration.extraRoots == ["a.der"])
    }
}
