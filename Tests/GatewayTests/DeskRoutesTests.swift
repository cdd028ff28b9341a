import Contracts
import Domain
import HTTPTypes
import Program
import TestKit
import Testing

@testable import Gateway

@Suite struct `The desk over HTTP` {
    /// A group in which an orphan is known.
    private static func gateway() -> TestGateway {
        TestGateway { request, partition throws(Problem) in
            switch request {
            case let search as FactsFindV1:
                guard partition == PartitionAddress(.receipts, 0), search.texts.contains("7") else {
                    return FoundFacts()
                }
                var orphan = DeskFact(.orphan, at: Timestamp(milliseconds: 1))
                (orphan.purchaseId, orphan.transactionId) = (
                    PurchaseID(unchecked: "7"), TransactionID(unchecked: "7")
                )
                return FoundFacts(facts: [orphan])
            case is DeskListV1:
                let place = DeskPage.Place(since: Timestamp(milliseconds: 1), key: "7")
                let row = DeskPage.Row(kind: .orphan, place: place, bundleId: TestGateway.bundle)
                let isFirst = partition == PartitionAddress(.receipts, 0)
                return DeskPage(rows: isFirst ? [row] : [], hasMore: isFirst)
            case is ActsListV1: return [Act]()
            default: return nil
            }
        }
    }

    @Test func `finds what is known, with a sentence on top`() async throws {
        let response = try await Self.gateway().act(.read, .get, "/find?q=7")
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text.contains("nobody is known to have bought it"))
        #expect(response.text.contains("counterfoil assign 7 --buyer"))
        let chinese = try await Self.gateway().act(.read, .get, "/find?q=7&language=zh")
        #expect(chinese.text.contains("不知道是谁买的"))
    }

    @Test func `says so where nothing is known`() async throws {
        let response = try await Self.gateway().act(.read, .get, "/find?q=8")
        #expect(response.status == 200 && response.text.contains("nothing is known about 8"))
    }

    @Test func `lists what waits, with the cursor of the next page`() async throws {
        let response = try await Self.gateway().act(.read, .get, "/lists/orphans?limit=1&olderThan=1h")
        #expect(response.status == 200, "\(response.text)")
        #expect(response["next"] == .string("1.7"))
    }

    @Test(arguments: [
        ("/find", "q"), ("/find?q=", "q"), ("/find?q=7&language=de", "language"),
        ("/lists/orphans?limit=0", "limit"), ("/lists/orphans?limit=201", "limit"),
        ("/acts?after=x", "after"), ("/acts?limit=0", "limit"), ("/find?q=7&apple=1", "apple"),
        ("/lists/orphans?olderThan=1", "olderThan"), ("/lists/orphans?after=x", "after"),
    ])
    func `refuses what it does not understand, and names the field`(path: String, field: String) async throws
    {
        let gateway = Self.gateway()
        let response = try await gateway.act(.read, .get, path)
        #expect(response.status == 422 && response["field"] == .string(field), "\(response.text)")
        #expect(gateway.caller.calls.isEmpty)
        #expect(try await gateway.act(.read, .get, "/lists/nothing").status == 404)
    }
}
