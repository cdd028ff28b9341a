import Contracts
import Foundation
import Testing

@testable import AppStore

@Suite struct `a request to the App Store Server API` {
    private static let id = TransactionID(unchecked: "1000000000000001")

    struct Row: Sendable, CustomTestStringConvertible {
        let request: any AppStoreServerRequest
        let line: String
        var body: String?
        let limit: Double
        var testDescription: String { line }
    }

    private static let rows: [Row] = {
        var history = GetTransactionHistory(id)
        history.revision = "a+b/c=="
        history.startDate = Timestamp(milliseconds: 123_455)
        history.productTypes = [.consumable, .autoRenewable]
        history.revoked = false
        var refunds = GetRefundHistory(id)
        refunds.revision = "r1"
        let span = GetNotificationHistory(
            from: Timestamp(milliseconds: 1_698_148_900_000),
            to: Timestamp(milliseconds: 1_698_148_950_000)
        )
        var filtered = span
        filtered.notificationType = "SUBSCRIBED"
        filtered.notificationSubtype = "INITIAL_BUY"
        filtered.transactionId = id
        filtered.onlyFailures = true
        filtered.paginationToken = "a036bc0e-52b8-4bee-82fc-8c24cb6715d6"
        let consumption = SendConsumptionInformation(
            transactionId: id,
            customerConsented: true,
            deliveryStatus: .delivered,
            sampleContentProvided: false
        )
        var more = consumption
        more.consumptionPercentage = 50_000
        more.refundPreference = .grantProrated
        return [
            Row(
                request: GetTransactionInfo(id),
                line: "GET /inApps/v1/transactions/\(id.rawValue)",
                limit: 50
            ),
            Row(request: GetTransactionHistory(id), line: "GET /inApps/v2/history/\(id.rawValue)", limit: 50),
            Row(
                request: history,
                line:
                    "GET /inApps/v2/history/\(id.rawValue)?revision=a%2Bb%2Fc%3D%3D&startDate=123455&revoked=false"
                    + "&productType=CONSUMABLE&productType=AUTO_RENEWABLE",
                limit: 50
            ),
            Row(request: LookUpOrderID("MD92H2GQ1X"), line: "GET /inApps/v1/lookup/MD92H2GQ1X", limit: 10),
            Row(request: refunds, line: "GET /inApps/v2/refund/lookup/\(id.rawValue)?revision=r1", limit: 10),
            Row(
                request: span,
                line: "POST /inApps/v1/notifications/history",
                body: #"{"endDate":1698148950000,"startDate":1698148900000}"#,
                limit: 50
            ),
            Row(
                request: filtered,
                line: "POST /inApps/v1/notifications/history"
                    + "?paginationToken=a036bc0e-52b8-4bee-82fc-8c24cb6715d6",
                body: #"{"endDate":1698148950000,"notificationSubtype":"INITIAL_BUY","#
                    + #""notificationType":"SUBSCRIBED","onlyFailures":true,"startDate":1698148900000,"#
                    + #""transactionId":"\#(id.rawValue)"}"#,
                limit: 50
            ),
            Row(
                request: SetAppAccountToken(
                    originalTransactionId: id,
                    appAccountToken: UUID(uuid: (0x7E, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x38))
                ),
                line: "PUT /inApps/v1/transactions/\(id.rawValue)/appAccountToken",
                body: #"{"appAccountToken":"7e3f0000-0000-0000-0000-000000000038"}"#,
                limit: 20
            ),
            Row(
                request: ExtendRenewalDate(
                    originalTransactionId: id,
                    extendByDays: 45,
                    extendReasonCode: .customerSatisfaction,
                    requestIdentifier: "fdf964a4"
                ),
                line: "PUT /inApps/v1/subscriptions/extend/\(id.rawValue)",
                body: #"{"extendByDays":45,"extendReasonCode":1,"requestIdentifier":"fdf964a4"}"#,
                limit: 20
            ),
            Row(
                request: consumption,
                line: "PUT /inApps/v2/transactions/consumption/\(id.rawValue)",
                body:
                    #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false}"#,
                limit: 50
            ),
            Row(
                request: more,
                line: "PUT /inApps/v2/transactions/consumption/\(id.rawValue)",
                body:
                    #"{"consumptionPercentage":50000,"customerConsented":true,"deliveryStatus":"DELIVERED","#
                    + #""refundPreference":"GRANT_PRORATED","sampleContentProvided":false}"#,
                limit: 50
            ),
        ]
    }()

    @Test(arguments: rows) func `has method, path, query, body and rate limit that Apple documents`(
        row: Row
    ) throws {
        let endpoint = type(of: row.request).endpoint
        #expect("\(endpoint.method.rawValue) \(row.request.pathAndQuery)" == row.line)
        #expect(try row.request.body().map { String(decoding: $0, as: UTF8.self) } == row.body)
        #expect(endpoint.callsPerSecond == row.limit)
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

    @Test func `of refunds and of notifications goes on in the same way`() throws {
        let refunds = GetRefundHistory(TransactionID(unchecked: "1"))
        let refundPage = GetRefundHistory.Response(revision: "r1", hasMore: true, signedTransactions: [])
        #expect(try refunds.next(after: refundPage)?.revision == "r1")
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
