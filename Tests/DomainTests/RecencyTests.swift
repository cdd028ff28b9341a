import Contracts
import Domain
import Testing

@Suite struct `two signatures about one purchase` {
    @Test func `the later signature holds, and on a tie the one that revokes`() {
        let signatures = [1, 2].flatMap { date in
            [false, true].map { Recency(signedDate: Timestamp(milliseconds: date), isRevoked: $0) }
        }
        for (older, first) in signatures.enumerated() {
            for (newer, second) in signatures.enumerated() {
                #expect((second > first) == (newer > older))
            }
        }
    }
}
