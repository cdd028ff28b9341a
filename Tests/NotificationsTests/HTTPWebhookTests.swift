import Contracts
import Program
import TestKit
import Testing

@testable import Notifications

@Suite(.timeLimit(.minutes(5))) struct `a webhook on the wire` {
    private static func call(
        _ port: some BinaryInteger,
        path: String = "",
        at timestamp: Int64 = 1,
        _ body: String = "{}"
    ) -> WebhookCall {
        let url = "http://127.0.0.1:\(port)/\(path)"
        let endpoint = Configuration.Webhook(url: url, secret: "a-secret-of-16-bytes")
        return WebhookCall(endpoint, of: EventID(unchecked: "e1"), timestamp: timestamp, body: body)
    }

    @Test(arguments: [204, 503]) func `is one signed POST, and its status comes back`(
        status: Int
    ) async throws {
        let server = try OneCallServer("HTTP/1.1 \(status) Any\r\nContent-Length: 0\r\n\r\n")
        let call = Self.call(server.port, path: "hook?a=b", at: 1_760_000_001, #"{"id":"e1"}"#)
        #expect(try await HTTPWebhookPoster().post(call) == status)
        let request = await server.request
        #expect(request.hasPrefix("POST /hook?a=b HTTP/1.1\r\n"))
        for header in call.headers {
            #expect(request.lowercased().contains("\r\n\(header.name): \(header.value)\r\n".lowercased()))
        }
        #expect(request.hasSuffix("\r\n\r\n" + call.body))
    }

    @Test func `that is redirected goes nowhere else`() async throws {
        let server = try OneCallServer(
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(try await HTTPWebhookPoster().post(Self.call(server.port)) == 302)
    }

    @Test func `is over when its status has come, though the rest of the answer never does`() async throws {
        let server = try OneCallServer(
            "HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\nx",
            then: .trickles
        )
        // The body would take hours; the suite has minutes.
        #expect(try await HTTPWebhookPoster().post(Self.call(server.port)) == 200)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent"])
    func `to a server that is down fails without a status`(answer: String) async throws {
        let server = try OneCallServer(answer)
        await #expect(throws: (any Error).self) {
            try await HTTPWebhookPoster().post(Self.call(server.port))
        }
    }
}
