import Contracts
import Domain
import HTTPTypes
import TestKit
import Testing

@testable import Gateway

@Suite struct `Receipts over HTTP` {
    private static let smallest =
        #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"e30.e30.AA"}"#

    private static func receipt(_ member: String) -> String { smallest.dropLast() + "," + member + "}" }

    private static func gateway(_ verdict: Verdict) -> TestGateway {
        TestGateway { request, _ in
            (request as? VerdictWaitV1).map { FakeCaller.verdict(verdict, of: $0.receiptId) }
        }
    }

    @Test(arguments: [
        (Verdict.granted, 200, true), (.ended, 200, true), (.conflict, 200, true),
        (.invalid, 200, false), (.parked, 200, false), (.pending, 202, false),
    ])
    func `the status says whether the verdict is there, the body whether to finish`(
        _ verdict: Verdict,
        _ status: Int,
        _ finish: Bool
    ) async throws {
        let response = try await Self.gateway(verdict).post("/v1/receipts", Self.smallest)
        #expect(response.status == status)
        #expect(response["receiptId"] == .string(FakeCaller.receiptID.rawValue))
        #expect(response["verdict"] == .string(verdict.rawValue))
        #expect(response["finish"] == .bool(finish))
        #expect(response["transactions", "0", "transactionId"] == .string("t1"))
        #expect(response["transactions", "0", "orderId"] == .string(FakeCaller.orderID.rawValue))
        #expect(response["transactions", "0", "finish"] == .bool(finish))
        let grantedAt = verdict == .granted ? JSONValue.integer(1_760_000_000_000) : nil
        #expect(response["transactions", "0", "grantedAt"] == grantedAt)
    }

    @Test func `the body is written directly, with the bytes of the general way`() throws {
        var verdict = FakeCaller.verdict(.granted, of: FakeCaller.receiptID)
        verdict.reason = "late"
        verdict.transactions[0].reason = "late"
        verdict.applicationVersion = "1"
        let response = ReceiptResponse(verdict, detail: "late")
        #expect(try faultOfDirectlyWritten(response) == nil)
        #expect(try faultOfDirectlyWritten(response.transactions[0]) == nil)
    }

    @Test func `whether money was real stands beside the verdict, as soon as a purchase is known`()
        async throws
    {
        let known = try await Self.gateway(.granted).post("/v1/receipts", Self.smallest)
        #expect(known["environment"] == .string("Production"))
        let unknown = ReceiptResponse(ReceiptVerdictV1(receiptId: FakeCaller.receiptID, verdict: .pending))
        #expect(unknown.environment == nil)
    }

    @Test(arguments: [
        #""orderId":1001"#, #""orderId":true"#, #""orderId":{}"#, #""orderId":["o"]"#, #""orderId":1e400"#,
        #""orderId":"""#, #""deviceId":1001"#, #""deviceId":false"#, #""deviceId":{"id":"d"}"#,
        #""deviceId":"""#,
        #""deviceId":"\#(String(repeating: "d", count: 65))""#, #""deviceId":"a\u0000b""#,
    ])
    func `a hint of the wrong type or length counts as absent, and never costs the proof`(
        _ hint: String
    ) async throws {
        let gateway = TestGateway()
        let response = try await gateway.post("/v1/receipts?wait=0", Self.receipt(hint))
        #expect(response.status == 200, "\(response.text)")
        let submission = try #require(gateway.caller.requests(ReceiptSubmitV1.self).first)
        #expect(submission.proof == "e30.e30.AA")
        #expect(submission.orderId == nil && submission.deviceId == nil)
    }

    @Test func `members that nobody knows never cost the proof, however many and whatever they hold`()
        async throws
    {
        let gateway = TestGateway()
        let many = (0..<200).map { "\"m\($0)\":{\"appReceipt\":\($0)}" }.joined(separator: ",")
        let response = try await gateway.post("/v1/receipts?wait=0", Self.receipt(many + #","m0":1,"m0":2"#))
        #expect(response.status == 200, "\(response.text)")
        #expect(gateway.caller.requests(ReceiptSubmitV1.self).map(\.proof) == ["e30.e30.AA"])
    }

    @Test func `the proof goes to the submitter's partition, the wait to the receipt's`() async throws {
        let gateway = TestGateway()
        _ = try await gateway.post("/v1/receipts?wait=1234", Self.smallest)
        let calls = gateway.caller.calls
        let waiting = PartitionAddress(.notifications, 0x0103 % TestGateway.partitions)
        #expect(calls.map(\.partition) == [TestGateway.partition(.receipts), waiting])
        #expect(gateway.caller.requests(ReceiptSubmitV1.self).first?.proof == "e30.e30.AA")
        #expect(gateway.caller.requests(VerdictWaitV1.self).first?.wait == 1_234)
        #expect(calls.last?.milliseconds == 1_234 + ReceiptsRoutes.waitMarginMilliseconds)
    }

    @Test func `who has bought it travels with the proof, and is absent where the buyer has`() async throws {
        let gateway = TestGateway()
        let bodies = [
            Self.receipt(#""purchasedBy":"b2","intent":"restore""#),
            Self.receipt(#""purchasedBy":"b1","intent":"restore""#), Self.receipt(#""purchasedBy":null"#),
        ]
        for body in bodies { #expect(try await gateway.post("/v1/receipts", body).status == 200) }
        let submissions = gateway.caller.requests(ReceiptSubmitV1.self)
        #expect(submissions.map(\.purchasedBy) == [BuyerID(unchecked: "b2"), nil, nil])
        #expect(submissions.map(\.buyerId) == Array(repeating: TestGateway.buyer, count: 3))
        #expect(submissions.map(\.intent) == [nil, .restore, nil], "another's purchase is not restored")
    }

    @Test func `a transaction's id alone goes to the submitter's partition`() async throws {
        let gateway = TestGateway()
        let body = #"{"bundleId":"com.example.game","buyerId":"b1","transactionId":"2000000812345678"}"#
        #expect(try await gateway.post("/v1/receipts", body).status == 200)
        let submission = try #require(gateway.caller.requests(ReceiptSubmitV1.self).first)
        #expect(submission.kind == .transactionId && submission.proof == "2000000812345678")
        #expect(gateway.caller.calls.first?.partition == TestGateway.partition(.receipts))
    }

    /// A JWS whose payload is `{"originalTransactionId":"7"}`.
    private static let stating = smallest.replacing(
        "e30.e30.AA",
        with: "e30.eyJvcmlnaW5hbFRyYW5zYWN0aW9uSWQiOiI3In0.AA"
    )

    @Test(arguments: [
        stating, stating.replacing("eyJv", with: #"ey\n J\tv"#), stating.replacing("In0.", with: "In0=."),
        stating.replacing("signedTransaction", with: "appReceipt"),
        stating.replacing("signedTransaction", with: "transactionReceipt"),
    ])
    func `a proof goes to the claim that it states, whatever its line breaks and its field`(
        proof: String
    ) async throws {
        let gateway = TestGateway()
        _ = try await gateway.post("/v1/receipts", proof)
        let stated = TransactionID(unchecked: "7")
        let submissions = gateway.caller.requests(ReceiptSubmitV1.self)
        #expect(submissions.map(\.originalTransactionId) == [stated])
        let claim = TestGateway.partition(.receipts, .chain(stated, of: TestGateway.bundle))
        #expect(gateway.caller.calls.first?.partition == claim)
    }

    @Test(arguments: [
        smallest.replacing("e30.e30.AA", with: "e30.eyJvcmlnaW5hbFRyYW5zYWN0aW9uSWQiOiI3In0.AA.AA"),
        smallest.replacing("e30.e30.AA", with: "e30.eyJvcmlnaW5hbFRyYW5zYWN0aW9uSWQiOjd9.AA"),
        smallest.replacing("e30.e30.AA", with: "e30.!.AA"),
        stating.replacing(".AA", with: "." + String(repeating: "A", count: ReceiptsRoutes.maximumJWSBytes)),
    ])
    func `a proof that states nothing, or is too long for a JWS, goes to the submitter's partition at once`(
        proof: String
    ) async throws {
        let gateway = TestGateway()
        _ = try await gateway.post("/v1/receipts", proof)
        #expect(gateway.caller.requests(ReceiptSubmitV1.self).map(\.originalTransactionId) == [nil])
        #expect(gateway.caller.calls.first?.partition == TestGateway.partition(.receipts))
    }

    @Test func `a proof that no partition stores is not acknowledged`() async throws {
        let gateway = TestGateway { request, _ in
            request is ReceiptSubmitV1 ? ReceiptSubmittedV1.askBuyersPartition : nil
        }
        let response = try await gateway.post("/v1/receipts", Self.stating)
        #expect(response.status == 503)
        #expect(gateway.caller.requests(VerdictWaitV1.self).isEmpty)
    }

    @Test func `a proof that is not what it states goes to the submitter's partition next`() async throws {
        let gateway = TestGateway { request, _ in
            guard let submission = request as? ReceiptSubmitV1 else { return nil }
            let isStored = submission.originalTransactionId == nil
            guard isStored else { return ReceiptSubmittedV1.askBuyersPartition }
            return ReceiptSubmittedV1.stored(FakeCaller.receiptID)
        }
        let response = try await gateway.post("/v1/receipts", Self.stating)
        #expect(response["receiptId"] == .string(FakeCaller.receiptID.rawValue))
        let stated = gateway.caller.requests(ReceiptSubmitV1.self).map(\.originalTransactionId)
        #expect(stated == [TransactionID(unchecked: "7"), nil])
        #expect(gateway.caller.calls[1].partition == TestGateway.partition(.receipts))
    }

    @Test(arguments: [("", 5_000), ("?wait=0", 0), ("?wait=30000", 30_000)])
    func `a phone waits 5 seconds unless it says otherwise`(_ query: String, _ wait: Int) async throws {
        let gateway = TestGateway()
        _ = try await gateway.post("/v1/receipts\(query)", Self.smallest)
        #expect(gateway.caller.requests(VerdictWaitV1.self).first?.wait == wait)
    }

    @Test(arguments: ["-1", "30001", "x", "", "1.5", "99999999999999999999"])
    func `a wait that cannot be is answered 422 before anything is accepted`(_ wait: String) async throws {
        let gateway = TestGateway()
        try await gateway.refuses(naming: "wait") {
            try await $0.post("/v1/receipts?wait=\(wait)", Self.smallest)
        }
        try await gateway.refuses(naming: "wait") {
            try await $0.get("/v1/receipts/\(FakeCaller.receiptID)?wait=\(wait)")
        }
    }

    @Test(arguments: [
        Problem.unanswered, .busy, Problem(RequestRefusal(.invalid, "no")),
        Problem(RequestRefusal(.notFound, "no")),
    ])
    func `a proof that is kept is pending at worst`(_ fault: Problem) async throws {
        let gateway = TestGateway { request, _ throws(Problem) in
            if request is VerdictWaitV1 { throw fault } else { nil }
        }
        let response = try await gateway.post("/v1/receipts", Self.smallest)
        #expect(response.status == 202)
        #expect(response["receiptId"] == .string(FakeCaller.receiptID.rawValue))
        #expect(response["verdict"] == .string("pending"))
        #expect(response["finish"] == .bool(false))
        #expect(response["transactions"] == .array([]))
    }

    @Test(arguments: [Problem.unanswered, .busy, Problem(RequestRefusal(.busy, "full"))])
    func `a proof of which nothing is known is 503 and to be sent again`(_ fault: Problem) async throws {
        let gateway = TestGateway { _, _ throws(Problem) in throw fault }
        let response = try await gateway.post("/v1/receipts", Self.smallest)
        #expect(response.status == 503)
        #expect(response.headers[.retryAfter] == "1")
        #expect(gateway.caller.requests(VerdictWaitV1.self).isEmpty)
    }

    @Test(arguments: [
        (#""orderId":"4711""#, "4711"), (#""orderId":"not a uuid ✓""#, "not a uuid ✓"),
        (#""orderId":null"#, nil), (#""orderId":"""#, nil), (#""orderId":"a\u0000b\n""#, "ab"),
        (#""orderId":"\#(String(repeating: "x", count: 70_000))""#, String(repeating: "x", count: 32)),
    ])
    func `an order that cannot be is a hint and never an error`(
        _ member: String,
        _ hint: String?
    ) async throws {
        let gateway = TestGateway()
        let response = try await gateway.post("/v1/receipts", Self.receipt(member))
        #expect(response.status == 200)
        #expect(gateway.caller.requests(ReceiptSubmitV1.self).map(\.orderId) == [hint])
    }

    /// Beside those of `Bad input`.
    @Test(arguments: [
        (receipt(#""appReceipt":"x""#), "appReceipt"),
        (receipt(#""transactionReceipt":"x""#), "transactionReceipt"),
        (receipt(#""transactionId":"7""#), "transactionId"),
        (receipt(#""purchasedBy":"""#), "purchasedBy"), (receipt(#""purchasedBy":7"#), "purchasedBy"),
        (receipt(#""intent":"steal""#), "intent"), (receipt(#""intent":"staleRestore""#), "intent"),
        (receipt(#""appReceipt":7"#), "appReceipt"),
    ])
    func `a wrong value, or two proofs at once, are answered 422 and named`(
        _ body: String,
        _ field: String
    ) async throws {
        try await TestGateway().refuses(naming: field) { try await $0.post("/v1/receipts", body) }
    }

    @Test(arguments: ProofKind.allCases)
    func `a proof of each kind is handed in as it came`(_ kind: ProofKind) async throws {
        let gateway = TestGateway()
        let body =
            #"{"bundleId":"com.example.game","buyerId":"b1","\#(kind.rawValue)":"MIIx","deviceId":"d-1"}"#
        #expect(try await gateway.post("/v1/receipts", body).status == 200)
        let submitted = try #require(gateway.caller.requests(ReceiptSubmitV1.self).first)
        #expect(submitted.kind == kind)
        #expect(submitted.proof == "MIIx")
        #expect(submitted.deviceId == "d-1")
    }

    @Test(arguments: ["", "garbage", "\u{7F}ÿ☃"])
    func `what is no proof at all is for Receipts to judge`(_ proof: String) async throws {
        let body = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"\#(proof)"}"#
        let gateway = TestGateway()
        let response = try await gateway.post("/v1/receipts", body)
        #expect(response.status == 200)
        #expect(gateway.caller.requests(ReceiptSubmitV1.self).map(\.proof) == [proof])
    }

    @Test func `a receipt is looked up without waiting unless asked to`() async throws {
        let gateway = Self.gateway(.pending)
        let id = FakeCaller.receiptID
        let responses = [
            try await gateway.get("/v1/receipts/\(id)"), try await gateway.get("/v1/receipts/\(id)?wait=50"),
        ]
        #expect(responses.map(\.status) == [202, 202])
        #expect(gateway.caller.requests(VerdictWaitV1.self).map(\.wait) == [0, 50])
    }

    @Test(arguments: ["nonsense", "r0000", "%20"])
    func `a receipt whose id cannot be is not found`(_ id: String) async throws {
        try await TestGateway().refuses(404, naming: "receiptId") { try await $0.get("/v1/receipts/\(id)") }
    }
}
