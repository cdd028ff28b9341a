import Contracts
import TestKit
import Testing

extension WholeGroup {
    @Suite(.enabled(if: Faketime.isInstalled, Comment(rawValue: Faketime.missing)))
    struct ClockTests {
        private static let hour = 3_600

        @Test(arguments: Executables.group)
        func `a program whose clock jumps by an hour, ahead or back, still answers, waits and sends`(
            _ program: String
        ) async throws {
            let backend = try await WebhookBackend()
            try await TestHome.use(webhook: backend.url) { home in
                try Faketime.set(program, ahead: 0, home)
                let settings = [program: Faketime.settings(program, home)]
                try await LooseGroup.use(home: home, settings: settings) { group, gateway in
                    var bought = [try await gateway.buy("anna", home: home)]
                    for jump in [Self.hour, -Self.hour, 0] {
                        try Faketime.set(program, ahead: jump, home)
                        bought.append(try await gateway.buy("anna", home: home))
                        try await Self.checkWait(gateway)
                    }
                    try await Self.checkWait(gateway) { try Faketime.set(program, ahead: Self.hour, home) }
                    try await Self.checkWait(gateway) { try Faketime.set(program, ahead: -Self.hour, home) }
                    try await gateway.verify(bought)
                    try await backend.receives(bought)
                    #expect(group.ends(of: program).isEmpty)
                    Faketime.clean([group.member(program)?.pid].compactMap(\.self))
                }
            }
        }

        @Test func `webhooks that a clock has put off for a month are sent once it is right again`()
            async throws
        {
            let program = "counterfoil-notifications"
            let backend = try await WebhookBackend()
            try await TestHome.use(webhook: backend.url) { home in
                try Faketime.set(program, ahead: 0, home)
                let settings = [program: Faketime.settings(program, home)]
                try await LooseGroup.use(home: home, settings: settings) { group, gateway in
                    var bought: [Purchase] = []
                    try await backend.refusing {
                        try Faketime.set(program, ahead: 30 * 24 * Self.hour, home)
                        bought.append(try await gateway.buy("anna", home: home))
                        try await backend.refuses()
                    }
                    try Faketime.set(program, ahead: 0, home)
                    try await backend.receives(bought)
                    Faketime.clean([group.member(program)?.pid].compactMap(\.self))
                }
            }
        }

        /// A phone that waits for a receipt nobody knows is answered when it asked to be, whatever the clock does
        /// meanwhile; an answer that comes more than a second too late is a 503.
        private static func checkWait(
            _ gateway: GatewayClient,
            _ meanwhile: @Sendable () throws -> Void = {}
        ) async throws {
            let start = ContinuousClock.now
            async let reply = gateway.get("/v1/receipts/\(GatewayClient.unknownReceipt)?wait=1000")
            try meanwhile()
            let answer = try await reply
            let waited = ContinuousClock.now - start
            #expect(answer.status == 202, "\(answer.text) after \(waited)")
            #expect(waited > .milliseconds(900), "waited \(waited)")
        }
    }
}

extension GatewayClient {
    /// The id of a receipt that was never handed in.
    static let unknownReceipt = ReceiptID(
        signedSeconds: 0,
        shard: Shard(rawValue: 0),
        place: Shard(rawValue: 0),
        digest: Array(repeating: 0, count: 16)
    ).rawValue
}
