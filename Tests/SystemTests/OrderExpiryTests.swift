import AppStoreSigning
import Contracts
import TestKit
import Testing

extension WholeGroup {
    /// Orders that grow old, by the clock of the program that keeps them.
    @Suite(.enabled(if: Faketime.isInstalled, Comment(rawValue: Faketime.missing)))
    struct OrderExpiryTests {
        private static let program = "orders"
        private static let hour = 3_600

        /// Sets the hours after which orders expire.
        private static func set(_ old: Int, to new: Int, _ home: TestHome) throws {
            let member = #""expireAfterHours" : "#
            try home.reconfigure("\(member)\(old)", by: "\(member)\(new)")
        }

        @Test
        func
            `an order expires after its hours, 73 at least, a deferred one later; a late payment reopens it`()
            async throws
        {
            try await TestHome.use { home in
                try Self.set(168, to: 72, home)
                try await home.counterfoil("check")
                    .expect(exit: 2, "orders.expireAfterHours", "from 73 to 8760", inOneLine: true)
                try Self.set(72, to: 73, home)
                try Faketime.set(Self.program, ahead: 0, home)
                let settings = [Self.program: Faketime.settings(Self.program, home)]
                try await LooseGroup.use(home: home, settings: settings) { group, gateway in
                    let deferred = try await gateway.place("lena").orderId
                    _ = try await gateway.reported(deferred, #"{"outcome":"deferred"}"#, in: "en")
                    let old = try await gateway.place("lena").orderId
                    try Faketime.set(Self.program, ahead: 74 * Self.hour, home)
                    // A timer sleeps a minute at most before it looks at the clock again.
                    let expired = try await gateway.order(by: old, until: .closed, within: .seconds(90))
                    #expect(expired.closeReason == .expired)
                    #expect(try await gateway.order(by: deferred).state == .deferred)
                    let young = try await gateway.place("lena")
                    #expect(young.state == .issued)

                    let payment = SignedTransaction.bought(token: expired.appAccountToken)
                    let proof = try home.signer.sign(transaction: payment)
                    #expect(try await gateway.finalVerdict("lena", proof: proof).isGranted)
                    let paid = try await gateway.order(by: old, until: .granted)
                    #expect(paid.late == true && paid.transactionId?.rawValue == payment.transactionId)
                    let open = try await gateway.orders(of: "lena", "state=open").orders.map(\.orderId)
                    #expect(open == [young.orderId, deferred])
                    #expect(group.ends(of: Self.program).isEmpty)
                    Faketime.clean([group.member(Self.program)?.pid].compactMap(\.self))
                }
            }
        }
    }
}
