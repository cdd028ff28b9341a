import Contracts
import Foundation
import Testing

@testable import Gateway

@Suite struct `A proof that nobody can read` {
    private static let receipt = Data([0x30, 0x82, 0x10, 0x00] + Array("genuine".utf8)).base64EncodedString()
    private static let jws = "eyJhbGciOiJFUzI1NiJ9.eyJ0cmFuc2FjdGlvbklkIjoiMSJ9.AA"
    private static let wrapper =
        #"{"Store":"AppleAppStore","TransactionID":"1000","Payload":"\#(receipt)\#(receipt)"}"#

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    static let shapes: [(proof: String, shape: String, advice: String)] = [
        ("MIIQ%2Bgenuine%3D", "percentEncoded", "`appReceipt` is percent-encoded; send it decoded."),
        (base64(receipt), "base64Twice", "`appReceipt` is base64 of a proof; send the proof itself."),
        (base64(jws), "base64Twice", "`appReceipt` is base64 of a proof; send the proof itself."),
        (base64("MIAG"), "base64Twice", "`appReceipt` is base64 of a proof; send the proof itself."),
        (
            "\"\(receipt)\"", "quoted",
            "`appReceipt` stands in quotation marks; send what is between them."
        ),
        ("'\(jws)'", "quoted", "`appReceipt` stands in quotation marks; send what is between them."),
        (
            "data:application/octet-stream;base64,\(receipt)", "dataURL",
            "`appReceipt` is a data URL; send what follows its comma."
        ),
        (wrapper, "wrapped", "`appReceipt` is JSON around a proof; send its member `Payload`."),
        (
            " {\"receipt-data\":\"\(receipt)\",\"password\":\"s\"}", "wrapped",
            "`appReceipt` is JSON around a proof; send its member `receipt-data`."
        ),
        ("[\"\(receipt)\"]", "wrapped", "`appReceipt` is JSON around a proof; send the proof in it."),
    ]

    /// Whose verdict is that the proof is malformed.
    private let gateway = TestGateway { request, _ in
        (request as? VerdictWaitV1).map {
            ReceiptVerdictV1(receiptId: $0.receiptId, verdict: .invalid, reason: "malformed")
        }
    }

    private static func body(_ proof: String, _ kind: String = "appReceipt") throws -> String {
        let members = ["bundleId": "com.example.game", "buyerId": "b1", kind: proof]
        return String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
    }

    @Test(arguments: shapes)
    func `says what was made of it, and what to send instead`(
        _ proof: String,
        _ shape: String,
        _ advice: String
    ) async throws {
        let response = try await gateway.post("/v1/receipts", try Self.body(proof))
        #expect(response["reason"] == .string("malformed"))
        #expect(response["detail"] == .string(advice), "\(response.text)")
        #expect(ProofShape(of: proof)?.name == shape)
    }

    @Test(arguments: [
        receipt, jws, " " + receipt, "", "garbage", "☃", "ewoJInNpZ25hdHVyZSIgPSAiQUFBQSI7Cn0=",
    ])
    func `is told apart from what can be read`(_ proof: String) async throws {
        #expect(ProofShape(of: proof) == nil)
        let response = try await gateway.post("/v1/receipts", try Self.body(proof))
        #expect(response["reason"] == .string("malformed") && response["detail"] == nil)
    }

    @Test func `is counted by app and shape, and one of another shape, too, once it is known`() async throws {
        for proof in ["%2B", "%2F", "garbage", #"{"Payload":"x"}"#] {
            _ = try await gateway.post("/v1/receipts?wait=0", try Self.body(proof))
        }
        let counts = gateway.context.malformedProofs.counts
        #expect(
            counts.map { "\($0.key.app) \($0.key.shape) \($0.value)" } == [
                "com.example.game other 1", "com.example.game percentEncoded 2", "com.example.game wrapped 1",
            ]
        )
        let metrics = try await gateway.getAsOperator("/metrics")
        let line = #"app="com.example.game",shape="percentEncoded"} 2"#
        #expect(metrics.text.contains(line), "\(metrics.text)")
    }
}
