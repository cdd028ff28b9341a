import Contracts
import Testing

@testable import Delivery

@Suite struct `The outbox` {
    @Test func `has room for the largest event of any contract, and for none that is larger`() throws {
        let pair = try EnginePair()
        let largest = max(TransactionVerifiedV1.maximumBytes, TransactionFoundV1.maximumBytes)
        func insert(_ bytes: Int) throws {
            try pair.orders.write(
                "INSERT INTO outbox (position, event_id, time, event) VALUES (1000, 'e', 0, zeroblob(\(bytes)))"
            )
        }
        #expect(throws: (any Error).self) { try insert(largest + 1) }
        try insert(largest)
        #expect(largest + 8_192 <= WireMessage.maximumLinkBytes)
    }
}
