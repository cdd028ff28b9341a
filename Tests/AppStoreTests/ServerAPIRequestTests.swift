import Contracts
import Foundation
import Testing

@testable import AppStore

@Suite struct `a request to the App Store Server API` {
    private static let id = TransactionID(unchecked: "7")

    /// Calls a second, method, path and query, and the body.
    private static let rows: [String: (request: any AppStoreServerRequest, body: String?)] = {
        var history = GetTransactionHistory(id)
        history.revision = "a+b/c=="
        history.startDate = Timestamp(milliseconds: 123_455)
        history.productTypes = [.consumable, .autoRenewable]
        history.revoked = false
        let span = GetNotificationHistory(
            from: Timestamp(milliseconds: 1_698_148_900_000),
            to: Timestamp(milliseconds: 1_698_148_950_000)
        )
        var filtered = span
        filtered.onlyFailures = true
        filtered.paginationToken = "a036bc0e-52b8-4bee-82fc-8c24cb6715d6"
        let consumption = SendConsumptionInformation(
            transactionId: id,
            customerConsented: true,
            deliveryStatus: .delivered,
            sampleContentProvided: false
        )
        var more = consumption
        more.transactionId = TransactionID(unchecked: "8")
        more.consumptionPercentage = 50_000
        more.refundPreference = .grantProrated
        return [
            "50 GET /inApps/v1/transactions/7": (GetTransactionInfo(id), nil),
            "50 GET /inApps/v2/history/7": (GetTransactionHistory(id), nil),
            "50 GET /inApps/v2/history/7?revision=a%2Bb%2Fc%3D%3D&startDate=123455&revoked=false"
                + "&productType=CONSUMABLE&productType=AUTO_RENEWABLE": (history, nil),
            "50 GET /inApps/v1/subscriptions/7": (GetAllSubscriptionStatuses(id), nil),
            "10 GET /inApps/v1/lookup/MD92H2GQ1X": (LookUpOrderID("MD92H2GQ1X"), nil),
            "50 POST /inApps/v1/notifications/history": (
                span, #"{"endDate":1698148950000,"startDate":1698148900000}"#
            ),
            "50 POST /inApps/v1/notifications/history?paginationToken=a036bc0e-52b8-4bee-82fc-8c24cb6715d6": (
                filtered,
                #"{"endDate":1698148950000,"onlyFailures":true,"startDate":1698148900000}"#
            ),
            "50 PUT /inApps/v2/transactions/consumption/7": (
                consumption,
                #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false}"#
            ),
            "50 PUT /inApps/v2/transactions/consumption/8": (
                more,
                #"{"consumptionPercentage":50000,"customerConsented":true,"deliveryStatus":"DELIVERED","#
                    + #""refundPreference":"GRANT_PRORATED","sampleContentProvided":false}"#
            ),
        ]
    }()

    @Test(arguments: rows.keys) func `has method, path, query, body and rate limit that Apple documents`(
        line: String
    ) throws {
        let (request, body) = try #require(Self.rows[line])
        let endpoint = type(of: request).endpoint
        let limit = Int(endpoint.callsPerSecond)
        #expect("\(limit) \(endpoint.method.rawValue) \(request.pathAndQuery)" == line)
        #expect(try request.body().map { String(decoding: $0, as: UTF8.self) } == body)
    }

    @Test func `keeps what a person typed within its one place in the path`() {
        let path = LookUpOrderID("../x?y=1#z é").pathAndQuery
        #expect(path == "/inApps/v1/lookup/..%2Fx%3Fy%3D1%23z%20%C3%A9")
    }
}

@Suite struct `a response in pages` {
    private let first = GetTransactionHistory(TransactionID(unchecked: "1"))

    private func page(_ revision: String?, hasMore: Bool) -> GetTransactionHistory.Response {
        GetTransactionHistory.Response(revision: revision, hasMore: hasMore, signedTransactions: [])
    }

    @Test func `goes on from the place that the page before names, with the same question`() throws {
        var filtered = first
        filtered.revoked = true
        let second = try filtered.next(after: page("r1", hasMore: true))
        #expect(second?.revision == "r1")
        #expect(second?.revoked == true)
        #expect(try second?.next(after: page("r2", hasMore: true))?.revision == "r2")
        #expect(try second?.next(after: page("r2", hasMore: false)) == nil)
    }

    @Test func `never ends silently where there is more, and never turns in a circle`() throws {
        for revision in [nil, ""] as [String?] {
            #expect(throws: AppStoreServerError.self) { try first.next(after: page(revision, hasMore: true)) }
        }
        let second = try #require(try first.next(after: page("r1", hasMore: true)))
        #expect(throws: AppStoreServerError.self) { try second.next(after: page("r1", hasMore: true)) }
    }

    @Test func `of notifications goes on in the same way`() throws {
        let notifications = GetNotificationHistory(from: .newYear2026, to: .newYear2026)
        let page = GetNotificationHistory.Response(
            paginationToken: "t1",
            hasMore: true,
            notificationHistory: []
        )
        let next = try notifications.next(after: page)
        #expect(next?.paginationToken == "t1")
        #expect(throws: AppStoreServerError.self) { try next?.next(after: page) }
    }
}
