import Contracts
import Database
import TestKit
import Testing

@testable import Notifications

@Suite struct `The schema of notifications` {
    @Test func `compares columns with the words that are written, and with no others`() {
        #expect(NotificationsSchema.schema.words == ["verdict.verdict": [Verdict.granted.rawValue]])
    }
}
