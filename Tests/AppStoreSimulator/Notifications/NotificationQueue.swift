import Contracts

/// What is to be delivered, and what was: the notifications, each with its attempts.
actor NotificationQueue {
    /// Notifications remembered; the oldest are forgotten, delivered or not.
    static let maximumRecords = 20_000

    struct Endpoint: Sendable {
        let url: String
        /// How many times faster than Apple's the retries come.
        let timeFactor: Double
    }

    private var endpoints: [StoreApp: Endpoint] = [:]
    /// What is to be sent and when, the earliest first.
    private var waiting: [(due: Timestamp, uuid: String)] = []
    private var underWay = 0
    private var records: [NotificationRecord] = []
    private var positions: [String: Int] = [:]
    private var forgotten = 0

    func set(_ endpoint: Endpoint?, of app: StoreApp) { endpoints[app] = endpoint }

    /// Whether an app has an endpoint; without one Apple sends nothing and has no history.
    func hasEndpoint(_ app: StoreApp) -> Bool { endpoints[app] != nil }

    func post(_ record: NotificationRecord) {
        positions[record.notificationUUID] = forgotten + records.count
        records.append(record)
        wait(record.notificationUUID, until: record.signedDate)
        guard records.count > Self.maximumRecords else { return }
        for old in records.prefix(Self.maximumRecords / 10) { positions[old.notificationUUID] = nil }
        records.removeFirst(Self.maximumRecords / 10)
        forgotten += Self.maximumRecords / 10
    }

    /// What is due, so much that at most `limit` are under way: those whose attempt is not noted yet.
    func take(_ limit: Int, at now: Timestamp) -> [(record: NotificationRecord, url: String)] {
        var deliveries: [(NotificationRecord, String)] = []
        while underWay < limit, let next = waiting.first, next.due <= now {
            waiting.removeFirst()
            guard let record = record(next.uuid), let endpoint = endpoints[record.app] else { continue }
            underWay += 1
            deliveries.append((record, endpoint.url))
        }
        return deliveries
    }

    func note(_ result: SendAttempt.Result, of uuid: String, at now: Timestamp) {
        underWay -= 1
        guard let index = index(of: uuid) else { return }
        records[index].attempts.append(SendAttempt(attemptDate: now, sendAttemptResult: result))
        guard result != .success else { return }
        let schedule = RetrySchedule(
            environment: records[index].app.environment,
            factor: endpoints[records[index].app]?.timeFactor ?? 1
        )
        if let pause = schedule.pause(after: records[index].attempts.count) {
            wait(uuid, until: now.advanced(by: pause))
        }
    }

    /// Sends a notification once more, as Apple does now and then; false when it is not known.
    func repeatDelivery(of uuid: String, at now: Timestamp) -> Bool {
        guard index(of: uuid) != nil else { return false }
        wait(uuid, until: now)
        return true
    }

    private func wait(_ uuid: String, until due: Timestamp) {
        let later = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
        waiting.insert((due, uuid), at: later)
    }

    func record(_ uuid: String) -> NotificationRecord? { index(of: uuid).map { records[$0] } }

    func history(of app: StoreApp) -> [NotificationRecord] { records.filter { $0.app == app } }

    private func index(of uuid: String) -> Int? { positions[uuid].map { $0 - forgotten } }
}
