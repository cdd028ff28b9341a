import Contracts
import Domain
import Foundation
import Testing

@testable import Gateway

@Suite struct `Apple's notifications over HTTP` {
    /// A JWS by shape; whose it is Receipts finds out.
    private static func payload(_ json: String) -> String {
        let middle = Data(json.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        return "e30.\(middle).AA"
    }

    private static func body(_ payload: String) -> String { #"{"signedPayload":"\#(payload)"}"# }

    @Test func `need no key, and are answered when they are kept`() async throws {
        let gateway = TestGateway()
        let payload = Self.payload(#"{"notificationUUID":"u-1"}"#)
        let response = try await gateway.post("/v1/apple/server-notifications", Self.body(payload), key: nil)
        #expect(response.status == 200)
        #expect(response["notificationUUID"] == .string("u-1"))
        let delivery = ServerNotificationDeliverV1(identifier: "u-1", signedPayload: payload)
        #expect(gateway.caller.requests(ServerNotificationDeliverV1.self) == [delivery])
        let partition = TestGateway.partition(.receipts, .serverNotification("u-1"))
        #expect(gateway.caller.calls.map(\.partition) == [partition])
    }

    @Test(arguments: [
        "", "x", "..", "e30.e30.AA", "e30.!.AA", "a.b.c.d",
        Self.payload(#"{"notificationUUID":7}"#),
        Self.payload(#"{"notificationUUID":"\#(String(repeating: "u", count: 65))"}"#),
    ])
    func `that name no UUID are told apart by their text, which says nothing itself`(payload: String) {
        let identifier = ServerNotificationsRoutes.identifier(of: payload)
        #expect(identifier == ServerNotificationsRoutes.identifier(of: payload))
        #expect(identifier != ServerNotificationsRoutes.identifier(of: payload + "x"))
        #expect(identifier.utf8.count <= 100 && !payload.contains(identifier))
    }

    @Test func `that could not be kept are asked for again, with 503 and never a 4xx`() async throws {
        for fault in [Problem.unanswered, Problem(RequestRefusal(.busy, "later"))] {
            let gateway = TestGateway { _, _ throws(Problem) in throw fault }
            let body = Self.body("e30.e30.AA")
            #expect(try await gateway.post("/v1/apple/server-notifications", body, key: nil).status == 503)
        }
    }

    @Test(arguments: [("{}", 422), ("[]", 400), ("", 400), (#"{"signedPayload":7}"#, 422)])
    func `that are none of Apple's shape are refused`(body: String, status: Int) async throws {
        let response = try await TestGateway().post("/v1/apple/server-notifications", body, key: nil)
        #expect(response.status == status)
    }

    @Test func `that are too large are refused`() async throws {
        let most = BodyLimit.serverNotification.rawValue - Self.body("").utf8.count
        #expect(BodyLimit.serverNotification.rawValue == 512 << 10)
        for (size, status) in [(most, 200), (most + 1, 413)] {
            let body = Self.body(String(repeating: "a", count: size))
            let response = try await TestGateway().post("/v1/apple/server-notifications", body, key: nil)
            #expect(response.status == status)
        }
    }
}
