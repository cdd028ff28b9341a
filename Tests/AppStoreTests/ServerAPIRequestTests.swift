import Contracts
import Foundation
import Testing

@testable import AppStore

@Suite struct `a request to the App Store Server API` {
    static let id = TransactionID(unchecked: "1000000000000001")

    /// A request as it goes out.
    struct Sent: Sendable, CustomStringConvertible {
        let line: String
        let body: String?
        let limit: Double

        init<Request: AppStoreServerRequest>(_ request: Request) throws {
            line = "\(Request.endpoint.method.rawValue) \(request.pathAndQuery)"
            body = try request.body().map { String(decoding: $0, as: UTF8.self) }
            limit = Request.endpoint.callsPerSecond
        }

        var description: String { line }
    }

    private func expect<Request: AppStoreServerRequest>(
        _ request: Request,
        is line: String,
        _ body: String? = nil,
        limit: Double
    ) throws {
        let sent = try Sent(request)
        #expect(sent.line == line)
        #expect(sent.body == body)
        #expect(sent.limit == limit)
    }

    @Test func `for a transaction`() throws {
        try expect(
            GetTransactionInfo(Self.id),
            is: "GET /inApps/v1/transactions/1000000000000001",
            limit: 50
        )
    }

    @Test func `for the history of transactions`() throws {
        try expect(
            GetTransactionHistory(Self.id),
            is: "GET /inApps/v2/history/1000000000000001",
            limit: 50
        )
    }

    @Test func `for the history of transactions with everything that it may be asked for`() throws {
        var request = GetTransactionHistory(Self.id)
        request.revision = "a+b/c=="
        request.startDate = Timestamp(milliseconds: 123_455)
        request.endDate = Timestamp(milliseconds: 123_456)
        request.productIds = [ProductID(unchecked: "com.example.1"), ProductID(unchecked: "com.example.2")]
        request.productTypes = [.consumable, .autoRenewable]
        request.sort = .ascending
        request.subscriptionGroupIdentifiers = ["sub_group_id", "sub_group_id_2"]
        request.inAppOwnershipType = "FAMILY_SHARED"
        request.revoked = false
        try expect(
            request,
            is: "GET /inApps/v2/history/1000000000000001?revision=a%2Bb%2Fc%3D%3D&startDate=123455"
                + "&endDate=123456&productId=com.example.1&productId=com.example.2&productType=CONSUMABLE"
                + "&productType=AUTO_RENEWABLE&sort=ASCENDING&subscriptionGroupIdentifier=sub_group_id"
                + "&subscriptionGroupIdentifier=sub_group_id_2&inAppOwnershipType=FAMILY_SHARED&revoked=false",
            limit: 50
        )
    }

    @Test func `for the state of subscriptions`() throws {
        try expect(
            GetSubscriptionStatuses(Self.id, statuses: [.active, .gracePeriod]),
            is: "GET /inApps/v1/subscriptions/1000000000000001?status=1&status=4",
            limit: 50
        )
    }

    @Test func `for an order`() throws {
        try expect(LookUpOrderID("MD92H2GQ1X"), is: "GET /inApps/v1/lookup/MD92H2GQ1X", limit: 10)
    }

    @Test func `for refunds`() throws {
        var request = GetRefundHistory(Self.id)
        request.revision = "r1"
        try expect(
            request,
            is: "GET /inApps/v2/refund/lookup/1000000000000001?revision=r1",
            limit: 10
        )
    }

    @Test func `for the history of notifications`() throws {
        var request = GetNotificationHistory(
            from: Timestamp(milliseconds: 1_698_148_900_000),
            to: Timestamp(milliseconds: 1_698_148_950_000)
        )
        try expect(
            request,
            is: "POST /inApps/v1/notifications/history",
            #"{"endDate":1698148950000,"startDate":1698148900000}"#,
            limit: 50
        )
        request.notificationType = "SUBSCRIBED"
        request.notificationSubtype = "INITIAL_BUY"
        request.transactionId = Self.id
        request.onlyFailures = true
        request.paginationToken = "a036bc0e-52b8-4bee-82fc-8c24cb6715d6"
        try expect(
            request,
            is: "POST /inApps/v1/notifications/history"
                + "?paginationToken=a036bc0e-52b8-4bee-82fc-8c24cb6715d6",
            #"{"endDate":1698148950000,"notificationSubtype":"INITIAL_BUY","notificationType":"SUBSCRIBED","#
                + #""onlyFailures":true,"startDate":1698148900000,"transactionId":"1000000000000001"}"#,
            limit: 50
        )
    }

    @Test func `for a test notification and for what became of it`() throws {
        try expect(RequestTestNotification(), is: "POST /inApps/v1/notifications/test", limit: 1)
        try expect(
            GetTestNotificationStatus("8cd2974c-f905-492a"),
            is: "GET /inApps/v1/notifications/test/8cd2974c-f905-492a",
            limit: 1
        )
    }

    @Test func `for an app transaction`() throws {
        try expect(
            GetAppTransactionInfo(Self.id),
            is: "GET /inApps/v1/transactions/appTransactions/1000000000000001",
            limit: 50
        )
    }

    @Test func `to finish a transaction`() throws {
        try expect(
            FinishTransaction(Self.id),
            is: "POST /inApps/v1/transactions/1000000000000001/finish",
            limit: 50
        )
    }

    @Test func `to set a token`() throws {
        let token = try #require(UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138"))
        try expect(
            SetAppAccountToken(token, for: Self.id),
            is: "PUT /inApps/v1/transactions/1000000000000001/appAccountToken",
            #"{"appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138"}"#,
            limit: 20
        )
    }

    @Test func `to extend a subscription`() throws {
        try expect(
            ExtendRenewalDate(
                Self.id,
                days: 45,
                reason: .customerSatisfaction,
                requestIdentifier: "fdf964a4"
            ),
            is: "PUT /inApps/v1/subscriptions/extend/1000000000000001",
            #"{"extendByDays":45,"extendReasonCode":1,"requestIdentifier":"fdf964a4"}"#,
            limit: 20
        )
    }

    @Test func `to tell of consumption`() throws {
        var information = SendConsumptionInformation.Information(
            customerConsented: true,
            deliveryStatus: .delivered,
            sampleContentProvided: false
        )
        try expect(
            SendConsumptionInformation(information, of: Self.id),
            is: "PUT /inApps/v2/transactions/consumption/1000000000000001",
            #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false}"#,
            limit: 50
        )
        information.consumptionPercentage = 50_000
        information.refundPreference = .grantProrated
        try expect(
            SendConsumptionInformation(information, of: Self.id),
            is: "PUT /inApps/v2/transactions/consumption/1000000000000001",
            #"{"consumptionPercentage":50000,"customerConsented":true,"deliveryStatus":"DELIVERED","#
                + #""refundPreference":"GRANT_PRORATED","sampleContentProvided":false}"#,
            limit: 50
        )
    }

    @Test func `to tell of consumption in the older form`() throws {
        var information = SendConsumptionInformationV1.Information(
            customerConsented: true,
            deliveryStatus: 3,
            sampleContentProvided: false
        )
        information.consumptionStatus = 1
        information.platform = 2
        information.appAccountToken = "7389a31a-fb6d-4569-a2a6-db7d85d84813"
        information.accountTenure = 4
        information.playTime = 5
        information.lifetimeDollarsRefunded = 6
        information.lifetimeDollarsPurchased = 7
        information.userStatus = 4
        information.refundPreference = 3
        try expect(
            SendConsumptionInformationV1(information, of: Self.id),
            is: "PUT /inApps/v1/transactions/consumption/1000000000000001",
            #"{"accountTenure":4,"appAccountToken":"7389a31a-fb6d-4569-a2a6-db7d85d84813","#
                + #""consumptionStatus":1,"customerConsented":true,"deliveryStatus":3,"#
                + #""lifetimeDollarsPurchased":7,"lifetimeDollarsRefunded":6,"platform":2,"playTime":5,"#
                + #""refundPreference":3,"sampleContentProvided":false,"userStatus":4}"#,
            limit: 50
        )
    }

    @Test func `keeps what a person typed within its one place in the path`() throws {
        try expect(
            LookUpOrderID("../x?y=1#z é"),
            is: "GET /inApps/v1/lookup/..%2Fx%3Fy%3D1%23z%20%C3%A9",
            limit: 10
        )
    }
}

@Suite struct `an answer in pages` {
    private let first = GetTransactionHistory(TransactionID(unchecked: "1"))

    private func page(_ revision: String?, hasMore: Bool) -> GetTransactionHistory.Answer {
        GetTransactionHistory.Answer(revision: revision, hasMore: hasMore, signedTransactions: [])
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
        let refundPage = GetRefundHistory.Answer(revision: "r1", hasMore: true, signedTransactions: [])
        #expect(try refunds.next(after: refundPage)?.revision == "r1")
        let notifications = GetNotificationHistory(from: .newYear2026, to: .newYear2026)
        let page = GetNotificationHistory.Answer(
            paginationToken: "t1",
            hasMore: true,
            notificationHistory: []
        )
        let next = try notifications.next(after: page)
        #expect(next?.paginationToken == "t1")
        #expect(throws: AppStoreServerError.self) { try next?.next(after: page) }
    }
}
