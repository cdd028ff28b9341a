import AppStore
import Contracts
import HTTPTypes
import Testing

@testable import AppStoreSimulator

@Suite struct `Notifications of the simulated store` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    @Test func `come again 1, 12, 24, 48 and 72 hours after the attempt before while nobody takes them`()
        async throws
    {
        store.post.answer(.noResponse)
        try await store.listen()
        _ = try await store.buy()
        var hours: [Int] = []
        for hour in 0...400 {
            if await store.sender.deliverDue() > 0 { hours.append(hour) }
            store.clock.advance(hours: 1)
        }
        #expect(hours == [0, 1, 13, 37, 85, 157])
        #expect(Set(store.post.payloads).count == 1)
    }

    @Test func `are attempted once in the sandbox`() async throws {
        store.post.answer(.unsuccessfulStatus)
        try await store.listen(.sandbox)
        _ = try await store.buy("coins.120", "Consumable", #""environment":"Sandbox""#)
        for _ in 0...400 {
            _ = await store.sender.deliverDue()
            store.clock.advance(hours: 1)
        }
        #expect(store.post.payloads.count == 1)
    }

    @Test func `come faster where time is compressed, and end with the first success`() async throws {
        store.post.answer(.timedOut)
        try await store.listen(timeFactor: 3_600)
        _ = try await store.buy()
        #expect(await store.sender.deliverDue() == 1)
        store.clock.advance(milliseconds: 999)
        #expect(await store.sender.deliverDue() == 0)
        store.clock.advance(milliseconds: 1)
        store.post.answer(.success)
        #expect(await store.sender.deliverDue() == 1)
        store.clock.advance(hours: 200)
        #expect(await store.sender.deliverDue() == 0)
    }

    @Test func `go nowhere, and into no history, for an app without an endpoint`() async throws {
        #expect(try await store.buy()["notifications"] == nil)
        #expect(try await store.api(.post, "v1/notifications/test").errorCode == 4_040_007)
        try await store.listen()
        #expect(try await store.buy("a", "Consumable", #""notify":false"#)["notifications"] == nil)
        #expect(await store.sender.deliverDue() == 0)
    }

    @Test func `are sent once more where that is asked for`() async throws {
        try await store.listen()
        let uuid = try await store.buy().text("notifications", "0", "notificationUUID")
        _ = await store.sender.deliverDue()
        #expect(try await store.control("server-notifications/\(uuid)/repeat", "").status == 204)
        #expect(try await store.control("server-notifications/x/repeat", "").status == 404)
        #expect(await store.sender.deliverDue() == 1)
        #expect(store.post.payloads.count == 2)
        #expect(Set(store.post.payloads).count == 1)
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `of the type TEST are sent on request, and their status is told`(
        environment: StoreEnvironment
    ) async throws {
        try await store.listen(environment)
        func call(_ method: HTTPRequest.Method, _ path: String = "") async throws -> Answer {
            try await store.api(method, "v1/notifications/test\(path)", environment: environment)
        }
        let token = try await call(.post).text("testNotificationToken")
        _ = await store.sender.deliverDue()
        let status = try await call(.get, "/\(token)")
        #expect(status.text("sendAttempts", "0", "sendAttemptResult") == "SUCCESS")
        let notification = try store.verified(notification: status.text("signedPayload"))
        #expect(notification.type == "TEST")
        #expect(notification.appAppleId == (environment == .production ? 1_234_567_890 : nil))
        #expect(notification.transaction == nil)
        #expect(try await call(.get, "/x").errorCode == 4_000_020)
        #expect(try await call(.get, "/00000000-0000-4000-8000-000000000000_1").errorCode == 4_040_008)
    }

    private static func question(_ more: String = "") -> String {
        let day: Int64 = 86_400_000
        let dates = #""startDate":\#(TestStore.start - day),"endDate":\#(TestStore.start + 9 * day)"#
        return "{\(dates)\(more.isEmpty ? "" : ",\(more)")}"
    }

    @Test func `stand in the history with their attempts, 20 on a page`() async throws {
        try await store.listen()
        _ = try await store.buy("coins.120", "Consumable", #""count":45"#)
        store.post.answer(.unsuccessfulStatus)
        _ = await store.sender.deliverDue()
        store.clock.advance(hours: 1)
        store.post.answer(.success)
        _ = await store.sender.deliverDue()
        var sizes: [Int] = []
        var token = ""
        repeat {
            let query = token.isEmpty ? "" : "?paginationToken=\(token)"
            let page = try await store.api(.post, "v1/notifications/history\(query)", Self.question())
            sizes.append(page.array("notificationHistory").count)
            let results = (0...1).map {
                page.text("notificationHistory", "0", "sendAttempts", "\($0)", "sendAttemptResult")
            }
            #expect(results == ["UNSUCCESSFUL_HTTP_RESPONSE_CODE", "SUCCESS"])
            token = page.text("paginationToken")
            #expect(page["hasMore"] == .bool(!token.isEmpty))
        } while !token.isEmpty
        #expect(sizes == [20, 20, 5])
    }

    @Test func `are found in the history by transaction, type and failure`() async throws {
        try await store.listen()
        let id = try await store.subscribe().transactionId
        _ = await store.sender.deliverDue()
        store.post.answer(.noResponse)
        _ = try await store.event("renew", id)
        _ = try await store.buy()
        _ = await store.sender.deliverDue()
        let counts = [
            ("", 3), (#""transactionId":"\#(id)""#, 2), (#""notificationType":"DID_RENEW""#, 1),
            (#""notificationType":"SUBSCRIBED","notificationSubtype":"INITIAL_BUY""#, 1),
            (#""onlyFailures":true"#, 2), (#""onlyFailures":true,"transactionId":"\#(id)""#, 1),
        ]
        for (more, count) in counts {
            let page = try await store.api(.post, "v1/notifications/history", Self.question(more))
            #expect(page.array("notificationHistory").count == count, "\(more)")
        }
    }

    private static let wrongQuestions: [(body: String, query: String, code: Int64)] = [
        (#"{"startDate":2,"endDate":1}"#, "", 4_000_013), (#"{"startDate":1,"endDate":2}"#, "", 4_000_012),
        (question(#""notificationType":"TEST","transactionId":"1""#), "", 4_000_019),
        (question(#""notificationType":"NEWS""#), "", 4_000_018),
        (question(#""notificationSubtype":"UPGRADE""#), "", 4_000_018),
        (question(), "?paginationToken=x", 4_000_014), ("{}", "", 4_000_000),
    ]

    @Test(arguments: wrongQuestions.indices)
    func `are not told to a wrong question`(index: Int) async throws {
        let (body, query, code) = Self.wrongQuestions[index]
        let answer = try await store.api(.post, "v1/notifications/history\(query)", body)
        #expect(answer.errorCode == code)
    }

    @Test(
        arguments: [
            (.production, 180, nil), (.production, 181, 4_000_012), (.sandbox, 30, nil),
            (.sandbox, 31, 4_000_012),
        ] as [(StoreEnvironment, Int64, Int64?)]
    )
    func `are in the history for 180 days, in the sandbox for 30`(
        environment: StoreEnvironment,
        days: Int64,
        code: Int64?
    ) async throws {
        let start = TestStore.start - days * 86_400_000
        let body = #"{"startDate":\#(start),"endDate":\#(TestStore.start)}"#
        let answer = try await store.api(.post, "v1/notifications/history", body, environment: environment)
        #expect(answer.errorCode == code)
    }
}
