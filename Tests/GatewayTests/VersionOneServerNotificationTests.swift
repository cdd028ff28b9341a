import Contracts
import Domain
import Testing

@testable import Gateway

@Suite struct `Notifications of version 1` {
    private static let path = "/v1/apple/server-notifications"
    private static let secret = TestGateway.sharedSecret

    /// Every `notification_type` of version 1.
    static let types = [
        "CANCEL", "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS",
        "DID_FAIL_TO_RENEW", "DID_RECOVER", "DID_RENEW", "INITIAL_BUY", "INTERACTIVE_RENEWAL",
        "PRICE_INCREASE_CONSENT", "REFUND", "REVOKE", "A_TYPE_OF_NEXT_YEAR",
    ]

    private static let own = #""bid":"com.example.game","password":"\#(secret)","#

    /// The body as Apple writes it; `members` come first.
    private static func body(
        _ type: String = "REFUND",
        members: String = #""bid":"com.example.game","environment":"PROD","password":"\#(secret)","#,
        rows: String = row("1000", bought: 1)
    ) -> String {
        #"""
        {\#(members)"notification_type":"\#(type)","bvrs":"1.2","auto_renew_status":"true",
         "unified_receipt":{"environment":"Production","status":0,"latest_receipt":"AAAA",
           "latest_receipt_info":[\#(rows)],"pending_renewal_info":[]}}
        """#
    }

    private static func row(_ original: String, bought: Int) -> String {
        #"{"transaction_id":"\#(bought)","original_transaction_id":"\#(original)","purchase_date_ms":"\#(bought)"}"#
    }

    private static func post(
        _ body: String,
        to gateway: TestGateway = TestGateway()
    ) async throws -> (TestGateway.Response, [ServerNotificationHintV1]) {
        let response = try await gateway.post(path, body, key: nil)
        return (response, gateway.caller.requests(ServerNotificationHintV1.self))
    }

    @Test(arguments: types)
    func `are a hint to ask Apple, whatever they say happened`(type: String) async throws {
        let gateway = TestGateway()
        let (response, hints) = try await Self.post(Self.body(type), to: gateway)
        #expect(response.status == 200)
        #expect(response["hinted"] == .array([.string("1000")]))
        let original = TransactionID(unchecked: "1000")
        let hint = ServerNotificationHintV1(
            bundleId: TestGateway.bundle,
            environment: .production,
            originalTransactionId: original,
            password: Self.secret
        )
        #expect(hints == [hint])
        let partition = TestGateway.partition(.receipts, .chain(original, of: TestGateway.bundle))
        #expect(gateway.caller.calls.map(\.partition) == [partition])
        #expect(gateway.caller.calls.map(\.subject) == ["com.example.game/1000"])
    }

    @Test(arguments: [
        (#""environment":"PROD","#, Environment.production), (#""environment":"Production","#, .production),
        (#""environment":"Sandbox","#, .sandbox), ("", .production),
    ])
    func `say in which store the purchase was made`(_ member: String, _ environment: Environment) async throws
    {
        let (_, hints) = try await Self.post(Self.body(members: Self.own + member))
        #expect(hints.map(\.environment) == [environment])
    }

    @Test func `about many purchases hint at the ten newest, each once, and at their own first`() async throws
    {
        let rows = (1...15).map { Self.row("\($0 % 14)", bought: $0) }.joined(separator: ",")
        let members = Self.own + #""original_transaction_id":3,"#
        let (response, hints) = try await Self.post(Self.body(members: members, rows: rows))
        let expected = ["3", "1", "0", "13", "12", "11", "10", "9", "8", "7"]
        #expect(hints.map(\.originalTransactionId.rawValue) == expected)
        #expect(response["hinted"] == .array(expected.map { .string($0) }))
    }

    @Test func `of the old form have one row, which may name the app`() async throws {
        let body = #"""
            {"notification_type":"CANCEL","environment":"Sandbox","password":"\#(Self.secret)",
             "latest_expired_receipt_info":{"bid":"com.example.game","original_transaction_id":"7"},
             "latest_receipt_info":{"bid":"com.example.game","transaction_id":8}}
            """#
        let (response, hints) = try await Self.post(body)
        #expect(response.status == 200)
        #expect(Set(hints.map(\.originalTransactionId.rawValue)) == ["7", "8"])
        #expect(hints.allSatisfy { $0.environment == .sandbox })
    }

    @Test func `name purchases in what is to be renewed, too`() async throws {
        let body = #"""
            {"notification_type":"DID_FAIL_TO_RENEW","bid":"com.example.game","password":"\#(Self.secret)",
             "unified_receipt":{"pending_renewal_info":[{"original_transaction_id":"9"}]}}
            """#
        #expect(try await Self.post(body).1.map(\.originalTransactionId.rawValue) == ["9"])
    }

    static let strangers: [(String, String)] = [
        (body(members: ""), "bid"), (body(members: #""bid":"a b","#), "bid"),
        (body(members: #""bid":["a.b"],"#), "bid"), (body(rows: ""), "original_transaction_id"),
        (body(rows: row("a/b", bought: 1)), "original_transaction_id"),
        (body(rows: "7"), "unified_receipt.latest_receipt_info[0]"),
        (#"{"notification_type":7}"#, "notification_type"), (#"{"bid":"a.b"}"#, "signedPayload"),
    ]

    @Test(arguments: strangers)
    func `that name no app or no purchase cannot be Apple's and are 422`(
        _ body: String,
        _ field: String
    ) async throws {
        try await TestGateway().refuses(naming: field) { try await $0.post(Self.path, body, key: nil) }
    }

    @Test func `that could not be passed on are asked for again, with 503 and never a 4xx`() async throws {
        for fault in [Problem.unanswered, .busy, Problem(RequestRefusal(.busy, "later"))] {
            let gateway = TestGateway { request, _ throws(Problem) in
                let original = (request as? ServerNotificationHintV1)?.originalTransactionId.rawValue
                return if original == "1000" { throw fault } else { nil }
            }
            let rows = Self.row("2000", bought: 2) + "," + Self.row("1000", bought: 1)
            let (response, hints) = try await Self.post(Self.body(rows: rows), to: gateway)
            #expect(response.status == 503)
            #expect(hints.count == 2)
        }
    }

    @Test func `are read up to 512 KiB, and no receipt of theirs stops them`() async throws {
        let receipt = String(repeating: "A", count: 500_000)
        let (response, hints) = try await Self.post(Self.body().replacing("AAAA", with: receipt))
        #expect(response.status == 200)
        #expect(hints.count == 1)
    }

    static let unproven: [String] = [
        body(members: #""bid":"com.example.game","#),
        body(members: #""bid":"com.example.game","password":"","#),
        body(members: #""bid":"com.example.game","password":"0123456789abcdef0123456789abcdee","#),
        body(
            members:
                #""bid":"com.example.game","password":"\#(String(repeating: "0123456789abcdef", count: 40))","#
        ),
        body(members: #""bid":"com.example.other","password":"\#(secret)","#),
        body(members: #""bid":"com.example.other","password":"","#),
        body(members: #""bid":"unknown.app","password":"\#(secret)","#),
    ]

    @Test(arguments: unproven)
    func `without the app's shared secret ask nobody anything, and so do all where none is configured`(
        _ body: String
    ) async throws {
        try await TestGateway().refuses(403, naming: "password") {
            try await $0.post(Self.path, body, key: nil)
        }
    }
}
