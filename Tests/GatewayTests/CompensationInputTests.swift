import Contracts
import Domain
import HTTPTypes
import Program
import Testing

@testable import Gateway

@Suite struct `What operators send` {
    private static func body(_ members: String) -> String {
        #"{"productId":"coins.100","buyerId":"b1","bundleId":"com.example.game",\#(members)}"#
    }

    private static let number = #""reason":"ticket 4711","appleOrderId":"MQ5LB2JHXY","transactionIds":"#

    @Test(arguments: [
        (#""reason":"   ","goodwill":true"#, "reason", "not blanks alone"),
        (#""reason":"\u3000","goodwill":true"#, "reason", "not blanks alone"),
        (number + #"["zzz"]"#, "transactionIds", "digits alone"),
        (number + #""x""#, "transactionIds", "must be an array"),
        (number + #"[7]"#, "transactionIds[0]", "must be a string"),
    ])
    func `names the field that is wrong, and leaves no trace`(
        members: String,
        field: String,
        rule: String
    ) async throws {
        let gateway = TestGateway { _, _ throws(Problem) in nil }
        let response = try await gateway.act(.support, .post, "/compensations", Self.body(members))
        #expect(response.status == 422 && response.field == field, "\(response.text)")
        #expect(response.text.contains(rule), "\(response.text)")
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test(arguments: [
        "/assignments", "/reassignments", "/proposals/c00020123456789abcdef0123456789ab/reverse",
    ])
    func `has a reason that somebody can read`(path: String) async throws {
        let gateway = TestGateway { _, _ throws(Problem) in nil }
        let body =
            switch path {
            case "/assignments": Self.purchase("transactionId")
            case "/reassignments": Self.purchase("purchaseId")
            case _: #"{"reason":" "}"#
            }
        let response = try await gateway.act(.approve, .post, path, body)
        #expect(response.status == 422 && response.field == "reason", "\(response.text)")
        #expect(gateway.caller.calls.isEmpty)
    }

    private static func purchase(_ name: String) -> String {
        #"{"\#(name)":"7","buyerId":"b1","bundleId":"com.example.game","reason":" "}"#
    }
}
