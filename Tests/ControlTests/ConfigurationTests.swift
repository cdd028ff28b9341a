import Contracts
import Domain
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
        #expect(configuration.http.operations.description == "127.0.0.1:8081")
        #expect(configuration.http.connectionsPerAddress == 256)
        #expect(configuration.http.proxies.map(\.description) == ["127.0.0.0/8", "::1"])
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
        Fault(file(app(), #","http":{"operations":"x"}"#), at: "http.operations", says: "write host:port"),
        Fault(
            file(app(), #","http":{"listen":"127.0.0.1:1","operations":"127.0.0.1:1"}"#),
            at: "http",
            says: "change http.operations"
        ),
        Fault(
            file(app(), #","http":{"connectionsPerAddress":0}"#),
            at: "http.connectionsPerAddress",
            says: "must be from 1 to 8192"
        ),
        Fault(
            file(app(), #","http":{"proxies":["10.0.0.0/33"]}"#),
            at: "http.proxies[0]",
            says: "is no address"
        ),
        Fault(
            file(app(#","webhook":{"url":"http://example.com","secret":"0123456789abcdef"}"#)),
            at: "apps[0].webhook.url",
            says: "write https://"
        ),
        Fault(
            file(app(#","webhook":{"url":"http://127.0.0.1.example.com","secret":"0123456789abcdef"}"#)),
            at: "apps[0].webhook.url",
            says: "write https://"
        ),
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

    @Test(arguments: [
        ("https://example.com/hook", false), ("http://127.0.0.1:9/hook", false), ("http://[::1]:9", false),
        ("http://localhost/hook", false), ("http://example.com/hook", true),
    ])
    func `webhooks travel in clear text on this machine and in test homes only`(
        _ url: String,
        _ isTest: Bool
    ) throws {
        let text = Self.file(Self.app(#","webhook":{"url":"\#(url)","secret":"0123456789abcdef"}"#))
        #expect(try Configuration(json: text, isTest: isTest).apps.first?.webhook?.url == url)
    }

    @Test(arguments: [
        ("127.0.0.1:0", "127.0.0.1:0"), ("0.0.0.0:443", "127.0.0.1:444"), ("[::]:65535", "127.0.0.1:65534"),
    ])
    func `operators are answered on this machine at the port above, when nothing is said`(
        _ listen: String,
        _ operations: String
    ) throws {
        let text = Self.file(Self.app(), #","http":{"listen":"\#(listen)"}"#)
        #expect(try Configuration(json: text).http.operations.description == operations)
    }

    @Test(
        arguments: [
            ("10.1.2.3", [10, 1, 2, 3], true), ("10.1.2.3", [10, 1, 2, 4], false),
            ("10.0.0.0/8", [10, 255, 0, 1], true), ("10.0.0.0/8", [11, 0, 0, 1], false),
            ("172.16.0.0/12", [172, 31, 9, 9], true), ("172.16.0.0/12", [172, 32, 0, 0], false),
            ("0.0.0.0/0", [1, 2, 3, 4], true),
            ("::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], true),
            ("::/0", [1, 2, 3, 4], false), ("0.0.0.0/0", [UInt8](repeating: 0, count: 16), false),
            ("fd00::/8", [0xFD] + [UInt8](repeating: 9, count: 15), true),
        ] as [(String, [UInt8], Bool)]
    )
    func `a range of addresses holds those that begin alike`(
        _ text: String,
        _ address: [UInt8],
        _ isIn: Bool
    ) throws {
        #expect(try #require(AddressRange(text)).contains(address) == isIn)
    }

    @Test(arguments: ["", "x", "10.0.0", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/ 8", "::1/129", "localhost"])
    func `what is no address is no range`(_ text: String) { #expect(AddressRange(text) == nil) }

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
