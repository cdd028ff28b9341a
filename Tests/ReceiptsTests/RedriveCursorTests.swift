import Contracts
import Testing

@testable import Receipts

@Suite struct `the cursor of a redrive` {
    @Test(arguments: ServiceName.allCases)
    func `goes through all stages for a service, and ends`(service: ServiceName) throws {
        var cursor = try #require(RedriveCursor([], for: service))
        var seen = [cursor.stage]
        while let next = cursor.next(after: [], for: service) {
            #expect(next.key.isEmpty)
            (cursor, seen) = (next, seen + [next.stage])
        }
        #expect(seen == RedriveCursor.Stage.stages(for: service))
    }

    @Test(arguments: ServiceName.allCases)
    func `goes on behind the last row of a page, and is read as it was stored`(service: ServiceName) throws {
        for stage in RedriveCursor.Stage.stages(for: service) {
            for key in [["7"], ["7", "", "Production", "9"]] {
                let next = try #require(RedriveCursor(stage).next(after: key, for: service))
                #expect(next == RedriveCursor(stage, after: key))
                #expect(RedriveCursor(next.columns, for: service) == next)
            }
            #expect(RedriveCursor(RedriveCursor(stage).columns, for: service) == RedriveCursor(stage))
        }
    }

    @Test func `is none of what is no stage for the service`() {
        #expect(RedriveCursor(["names"], for: .orders) == nil)
        #expect(RedriveCursor(["guesses", "7"], for: .receipts) == nil)
    }
}
