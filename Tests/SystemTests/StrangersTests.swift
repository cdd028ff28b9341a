import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// Those who have no key, beside those who have one.
    @Suite struct StrangersTests {
        /// What the gateway may need, whatever strangers do, in bytes.
        private static let mostBytes = 250_000_000.0

        private static func port(of group: TestGroup) throws -> UInt16 {
            let port = try #require(URLComponents(string: group.gateway.url)?.port)
            return try #require(UInt16(exactly: port))
        }

        @Test
        func
            `hundreds who pipeline requests and read nothing cost the gateway little, and a phone is served`()
            async throws
        {
            try await TestGroup.use { group in
                let gateway = ProcessFigures(pid: try await group.pid(of: "gateway"))
                let requests = String(
                    repeating: "GET /openapi.yaml HTTP/1.1\r\nHost: g\r\n\r\n",
                    count: 1_000
                )
                var strangers = try StrangerConnections(
                    count: 300,
                    port: try Self.port(of: group),
                    beginning: Array(requests.utf8)
                )
                var purchases: [Purchase] = []
                for number in 0..<5 {
                    try strangers.push()
                    purchases.append(try await group.buy("buyer-\(number)"))
                }
                #expect(strangers.begunAnew == 0)
                #expect(try gateway.peakResidentBytes() < Self.mostBytes)
                strangers.close()
                try await group.rest()
                try await group.verify(purchases)
            }
        }

        @Test
        func `hundreds who send notifications slowly keep none of Apple's out`() async throws {
            try await TestGroup.use { group in
                let head =
                    "POST /v1/apple/server-notifications HTTP/1.1\r\nHost: g\r\nContent-Length: 131072\r\n\r\n{"
                var strangers = try StrangerConnections(
                    count: 500,
                    port: try Self.port(of: group),
                    beginning: Array((head + String(repeating: " ", count: 100_000)).utf8),
                    dribble: 30_000
                )
                for _ in 0..<10 {
                    try strangers.push()
                    let payload = try group.home.signer.notification("ONE_TIME_CHARGE", about: .bought())
                    let reply = try await group.gateway.notify(payload)
                    #expect(reply.status == 200, "\(reply.text)")
                }
                strangers.close()
            }
        }
    }
}
