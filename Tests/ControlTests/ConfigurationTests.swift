import Contracts
import Domain
import Foundation
import Testing

@testable import Program

@Suite struct `what counterfoil.json says` {
    private static let secret = "0123456789abcdef"
    private static let server = #""issuerId":"i-1","keyId":"K1","privateKey":"AuthKey_K1.p8""#

    /// An app with these members beside the necessary ones.
    private static func app(_ members: String...) -> String {
        let keys = #""keys":[{"id":"a","secret":"\#(secret)"}]"#
        return "{" + ([#""bundleId":"com.example.game""#, keys] + members).joined(separator: ",") + "}"
    }

    private static func file(apps: String = app(), _ members: String...) -> String {
        "{" + (["\"apps\":[\(apps)]"] + members).joined(separator: ",") + "}"
    }

    private static func http(_ members: String) -> String { file(#""http":{\#(members)}"#) }

    private static func key(secret: String) -> String {
        file(apps: #"{"bundleId":"a","keys":[{"id":"k","secret":"\#(secret)"}]}"#)
    }

    private static func former(_ former: String) -> String {
        let members = #""url":"https://example.com/","secret":"\#(secret)","formerSecret":"\#(former)""#
        return file(apps: app(#""webhook":{\#(members)}"#))
    }

    private static func webhook(_ url: String) -> String {
        file(apps: app(#""webhook":{"url":"\#(url)","secret":"\#(secret)"}"#))
    }

    private static func verifyReceipt(secret: String) -> String {
        file(apps: app(#""verifyReceipt":{"sharedSecret":"\#(secret)"}"#))
    }

    private static func appStoreServer(_ members: String) -> String {
        file(apps: app(#""appStoreServer":{\#(members)}"#))
    }

    @Test(arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (64, 32), (1_024, 256)])
    func `a home has a partition for every two processors`(processors: Int, partitions: Int) {
        #expect(Configuration.partitions(forProcessors: processors) == partitions)
    }

    @Test func `what is left out has a default`() throws {
        let configuration = try Configuration(json: Self.file())
        #expect(configuration.partitions == 1)
        #expect(configuration.http.listen.description == "127.0.0.1:8080")
        #expect(configuration.http.operations.description == "127.0.0.1:8081")
        #expect(configuration.http.connectionsPerAddress == 256)
        #expect(configuration.http.proxies.map(\.description) == ["127.0.0.0/8", "::1"])
        #expect(configuration.apps.first?.environments == [.production, .sandbox])
        #expect(configuration.apps.first?.sandbox == .separate)
        #expect(configuration.apps.first?.webhook == nil)
    }

    @Test func `when it says nothing of Apple, Apple is asked nothing, and every ten minutes`() throws {
        let configuration = try Configuration(json: Self.file())
        let app = try #require(configuration.apps.first)
        #expect(app.appStoreServer == nil)
        #expect(app.verifyReceipt == nil)
        #expect(configuration.appStore == nil)
        #expect(configuration.recovery.everyMinutes == 10)
        #expect(configuration.orders.expireAfterHours == 168)
        #expect(configuration.restores.freshMinutes == 60)
        #expect(configuration.retention.proofDays == 400)
        #expect(try Configuration(json: Self.file(#""recovery":{}"#)).recovery.everyMinutes == 10)
    }

    @Test func `everything is understood, and is the same when it was written and read again`() throws {
        let shared = "0123456789abcdef0123456789ABCDEF"
        let app = Self.app(
            #""appAppleId":123,"environments":["Production"],"sandbox":{"grantTo":["reviewer"]}"#,
            #""requestsPerSecond":9"#,
            #""webhook":{"url":"https://example.com/hook","secret":"fedcba9876543210","formerSecret":"\#(shared)"}"#,
            #""appStoreServer":{\#(Self.server),"callsPerSecond":7}"#,
            #""verifyReceipt":{"sharedSecret":"\#(shared)"},"versions":["2.3.1","2.4"]"#,
            #""phoneTokens":{"keys":[{"id":"p","algorithm":"HS256","secret":"\#(shared)x"}],"jwks":"a.json""#
                + #","clockSlackSeconds":0,"requestsPerSecond":3}"#
        )
        let text = Self.file(
            apps: app,
            #""partitions":7,"http":{"listen":"[::1]:0","proxies":["10.0.0.0/8"]},"extraRoots":["a.der"]"#,
            #""recovery":{"everyMinutes":1440},"retention":{"proofDays":30},"appStore":"http://127.0.0.1:8090""#
        )
        var server = Configuration.AppStoreServer(
            issuerId: "i-1",
            keyId: "K1",
            privateKey: "AuthKey_K1.p8"
        )
        server.callsPerSecond = 7
        var game = Configuration.App(
            bundleId: BundleID(unchecked: "com.example.game"),
            keys: [.init(id: "a", secret: Self.secret)]
        )
        game.appAppleId = 123
        game.environments = [.production]
        game.sandbox = .grantTo([BuyerID(unchecked: "reviewer")])
        game.requestsPerSecond = 9
        game.webhook = .init(
            url: "https://example.com/hook",
            secret: "fedcba9876543210",
            formerSecret: shared
        )
        game.appStoreServer = server
        game.verifyReceipt = .init(sharedSecret: shared)
        game.versions = ["2.3.1", "2.4"]
        var tokens = Configuration.PhoneTokens(keys: [.init(id: "p", secret: shared + "x")])
        (tokens.jwks, tokens.clockSlackSeconds, tokens.requestsPerSecond) = ("a.json", 0, 3)
        game.phoneTokens = tokens
        var expected = Configuration(apps: [game])
        expected.partitions = 7
        expected.http.listen = ListenAddress(host: "::1", port: 0)
        expected.http.operations = ListenAddress(host: "127.0.0.1", port: 0)
        expected.http.proxies = [try #require(AddressRange("10.0.0.0/8"))]
        expected.extraRoots = ["a.der"]
        expected.appStore = "http://127.0.0.1:8090"
        expected.recovery.everyMinutes = 1_440
        expected.retention.proofDays = 30
        #expect(try Configuration(json: text, isTest: true) == expected)
        let written = String(decoding: try JSONEncoder().encode(expected), as: UTF8.self)
        #expect(try Configuration(json: written, isTest: true) == expected)
    }

    /// A text, the member that is named, and what is reported of it.
    static let faults: [(String, String?, String)] = [
        ("[", nil, "is not JSON"), ("[]", nil, "must be an object, but is an array"),
        ("{}", "apps", "is missing"), (file(apps: ""), "apps", "names no app"),
        (file(#""partition":4"#), "partition", "is not a known member; remove it (known here: partitions,"),
        (file(#""partitions":"4""#), "partitions", "must be a whole number, but is a string"),
        (file(#""partitions":0"#), "partitions", "must be from 1 to 256"),
        (file(#""partitions":257"#), "partitions", "must be from 1 to 256"),
        (http(#""listen":"8080""#), "http.listen", "write host:port"),
        (http(#""listen":"localhost:65536""#), "http.listen", "write host:port"),
        (http(#""port":1"#), "http.port", "is not a known member"),
        (http(#""operations":"x""#), "http.operations", "write host:port"),
        (http(#""listen":"127.0.0.1:1","operations":"127.0.0.1:1""#), "http", "change http.operations"),
        (http(#""connectionsPerAddress":0"#), "http.connectionsPerAddress", "must be from 1 to 8192"),
        (http(#""proxies":["10.0.0.0/33"]"#), "http.proxies[0]", "is no address"),
        (webhook("http://example.com"), "apps[0].webhook.url", "write https://"),
        (webhook("http://127.0.0.1.example.com"), "apps[0].webhook.url", "write https://"),
        (webhook("ftp://x"), "apps[0].webhook.url", "write https://"),
        (file(apps: app(#""webhook":{"url":"x"}"#)), "apps[0].webhook.secret", "is missing"),
        (former("short"), "apps[0].webhook.formerSecret", "at least 16"),
        (former(secret), "apps[0].webhook.formerSecret", "is the present secret"),
        (file(#""extraRoots":["a.der"]"#), "extraRoots", "init --test"),
        (file(#""extraRoots":[1]"#), "extraRoots[0]", "must be a string"),
        (file(#""appStore":"http://127.0.0.1:8090""#), "appStore", "init --test"),
        (file(apps: "\(app()),\(app())"), "apps", "com.example.game twice"),
        (file(apps: #"{"keys":[]}"#), "apps[0].bundleId", "is missing"),
        (file(apps: #"{"bundleId":"a b","keys":[]}"#), "apps[0].bundleId", "is not a valid BundleID"),
        (file(apps: #"{"bundleId":"a","keys":[]}"#), "apps[0].keys", "names no key"),
        (file(apps: app(#""environments":["Xcode"]"#)), "apps[0].environments[0]", "is \"Xcode\""),
        (file(apps: app(#""environments":[]"#)), "apps[0].environments", "names no environment"),
        (file(apps: app(#""sandbox":"grant""#)), "apps[0].sandbox", "refuse"),
        (file(apps: app(#""sandbox":{"grantTo":[""]}"#)), "apps[0].sandbox.grantTo[0]", "valid BuyerID"),
        (file(apps: app(#""appAppleId":-1"#)), "apps[0].appAppleId", "is -1"),
        (file(apps: app(#""versions":[]"#)), "apps[0].versions", "of 1 to 64 bytes"),
        (file(apps: app(#""versions":["1.0",""]"#)), "apps[0].versions", "of 1 to 64 bytes"),
        (file(apps: app(#""versions":"1.0""#)), "apps[0].versions", "must be an array"),
        (file(apps: app(#""requestsPerSecond":0"#)), "apps[0].requestsPerSecond", "from 1 to 100000"),
        (key(secret: "short"), "apps[0].keys[0].secret", "has 5 characters, but must have at least 16"),
        (key(secret: #"0123456789abcdef0\n"#), "apps[0].keys[0].secret", "visible ASCII"),
        (file(#""recovery":{"everyMinutes":0}"#), "recovery.everyMinutes", "from 1 to 1440"),
        (file(#""recovery":{"everyMinutes":1441}"#), "recovery.everyMinutes", "from 1 to 1440"),
        (file(#""orders":{"expireAfterHours":72}"#), "orders.expireAfterHours", "from 73 to 8760"),
        (file(#""orders":{"expireAfterHours":8761}"#), "orders.expireAfterHours", "from 73 to 8760"),
        (file(#""restores":{"freshMinutes":0}"#), "restores.freshMinutes", "from 1 to 10080"),
        (file(#""restores":{"freshMinutes":10081}"#), "restores.freshMinutes", "from 1 to 10080"),
        (file(#""recovery":{"every":1}"#), "recovery.every", "is not a known member"),
        (file(#""retention":{"proofDays":0}"#), "retention.proofDays", "from 1 to 36500"),
        (file(apps: app(#""appStoreServer":null"#)), "apps[0].appStoreServer", "must be an object"),
        (file(apps: app(#""verifyReceipt":true"#)), "apps[0].verifyReceipt", "must be an object"),
        (file(apps: app(#""verifyReceipt":{"x":1}"#)), "apps[0].verifyReceipt.x", "is not a known member"),
    ]

    static let secretFaults: [(String, String?, String)] = [
        ("", "is empty"), ("a b", "visible ASCII"), (String(repeating: "x", count: 129), "1 to 128"),
    ]
    .map { (verifyReceipt(secret: $0), "apps[0].verifyReceipt.sharedSecret", $1) }

    static let serverFaults: [(String, String?, String)] = [
        ("privateKey", #""""#, "name the file of the key"), ("privateKey", "7", "must be a string"),
        ("issuerId", #""""#, "is empty; write the issuer id"), ("keyId", #""""#, "is empty; write the id"),
        ("keyId", #""K 1""#, "without spaces"), ("callsPerSecond", "0", "must be from 1 to 1000"),
        ("callsPerSecond", "1001", "must be from 1 to 1000"),
        ("callsPerSecond", "1.5", "must be a whole number"),
        ("pem", #""x""#, "is not a known member; remove it"), ("privateKey", "", "is missing; add it"),
    ]
    .map { member, value, says in
        let others = server.split(separator: ",").map(String.init).filter { !$0.hasPrefix("\"\(member)\"") }
        let members = others + (value.isEmpty ? [] : ["\"\(member)\":\(value)"])
        let text = appStoreServer(members.joined(separator: ","))
        return (text, "apps[0].appStoreServer.\(member)", says)
    }

    static let simulatorFaults: [(String, String?, String)] = [
        ("7", "must be a string"), (#""localhost:8090""#, "is no URL"), (#""ftp://localhost""#, "is no URL"),
        (#""http://""#, "is no URL"), (#""http://localhost?a=1""#, "is no URL"),
        (#""http://127.0.0.1:8090/""#, "ends with a slash"),
    ]
    .map { (file(#""appStore":\#($0)"#), "appStore", $1) }

    private static func check(_ text: String, _ member: String?, _ says: String, isTest: Bool) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try Configuration(json: text, isTest: isTest)
        }
        #expect(error.member == member)
        #expect(error.problem.contains(says), "\(error)")
        #expect(error.description.hasPrefix("counterfoil.json: "))
        #expect(!error.description.contains("\n"))
        #expect(error.exitCode == 2)
    }

    @Test(arguments: faults)
    func `what is wrong is named in one line`(text: String, member: String?, says: String) throws {
        try Self.check(text, member, says, isTest: false)
    }

    @Test(arguments: secretFaults + serverFaults + simulatorFaults)
    func `what is wrong about Apple is named in one line, and what to do`(
        text: String,
        member: String?,
        says: String
    ) throws {
        try Self.check(text, member, says, isTest: true)
    }

    @Test(arguments: ["x", String(repeating: "!", count: 128)])
    func `a shared secret is Apple's, so it may be short`(_ secret: String) throws {
        let app = try Configuration(json: Self.verifyReceipt(secret: secret)).apps.first
        #expect(app?.verifyReceipt?.sharedSecret == secret)
        let without = Self.file(apps: Self.app(#""verifyReceipt":{}"#))
        #expect(try Configuration(json: without).apps.first?.verifyReceipt == .init())
    }

    @Test(arguments: [("1", "1"), ("1000", "1440")])
    func `limits are inside`(_ calls: String, _ minutes: String) throws {
        let app = Self.app(#""appStoreServer":{\#(Self.server),"callsPerSecond":\#(calls)}"#)
        let text = Self.file(apps: app, #""recovery":{"everyMinutes":\#(minutes)}"#)
        #expect(throws: Never.self) { try Configuration(json: text) }
    }

    @Test(arguments: [
        ("https://example.com/hook", false), ("http://127.0.0.1:9/hook", false), ("http://[::1]:9", false),
        ("http://localhost/hook", false), ("http://example.com/hook", true),
    ])
    func `webhooks travel in clear text on this machine and in test homes only`(
        _ url: String,
        _ isTest: Bool
    ) throws {
        #expect(try Configuration(json: Self.webhook(url), isTest: isTest).apps.first?.webhook?.url == url)
    }

    @Test(arguments: [
        ("127.0.0.1:0", "127.0.0.1:0"), ("0.0.0.0:443", "127.0.0.1:444"), ("[::]:65535", "127.0.0.1:65534"),
    ])
    func `operators are answered on this machine at the port above unless an address is given`(
        _ listen: String,
        _ operations: String
    ) throws {
        let text = Self.file(#""http":{"listen":"\#(listen)"}"#)
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

    @Test(arguments: [
        (#""bundleId": 7"#, "counterfoil.json: line 3, column 18: apps[0].bundleId: must be"),
        (#""keys": []"#, "counterfoil.json: line 3, column 5: apps[0].bundleId: is missing"),
        (",", "counterfoil.json: line 3, column 6: is not JSON: "),
    ])
    func `what is wrong has a line and a column`(_ member: String, _ says: String) throws {
        let text = "{\n  \"apps\": [\n    {\(member)}\n  ]\n}"
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        #expect(error.description.hasPrefix(says), "\(error)")
    }

    @Test(arguments: [
        (file(apps: app() + "," + app().replacing("com.example.game", with: "com.example.b")), "two keys"),
        (verifyReceipt(secret: "hush hush"), "visible ASCII"),
    ])
    func `a secret is never part of a message`(_ text: String, _ says: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try Configuration(json: text) }
        #expect(error.description.contains(says))
        #expect(!error.description.contains(Self.secret) && !error.description.contains("hush"))
    }
}
