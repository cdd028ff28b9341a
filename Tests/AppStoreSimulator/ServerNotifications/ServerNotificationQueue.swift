import Contracts

/// What is to be delivered, and what was: the notifications, each with its attempts.
actor ServerNotificationQueue {
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
    private var records: [String: ServerNotificationRecord] = [:]
    /// Of the records, the oldest first.
    private var uuids: [String] = []

    func set(_ endpoint: Endpoint?, of app: StoreApp) { endpoints[app] = endpoint }

    /// Whether an app has an endpoint; without one Apple sends nothing and has no history.
    func hasEndpoint(_ app: StoreApp) -> Bool { endpoints[app] != nil }

    func post(_ record: ServerNotificationRecord) {
        records[record.notificationUUID] = record
        uuids.append(record.notificationUUID)
        wait(record.notificationUUID, until: record.signedDate)
        guard uuids.count > Self.maximumRecords else { return }
        for old in uuids.prefix(Self.maximumRecords / 10) { records[old] = nil }
        uuids.removeFirst(Self.maximumRecords / 10)
    }

    /// What is due, so much that at most `limit` are under way: those whose attempt is not noted yet.
    func take(_ limit: Int, at now: Timestamp) -> [(record: ServerNotificationRecord, url: String)] {
        var deliveries: [(ServerNotificationRecord, String)] = []
        while underWay < limit, let next = waiting.first, next.due <= now {
            waiting.removeFirst()
            guard let record = records[next.uuid], let endpoint = endpoints[record.app] else { continue }
            underWay += 1
            deliveries.append((record, endpoint.url))
        }
        return deliveries
    }

    func note(_ result: SendAttempt.Result, of uuid: String, at now: Timestamp) {
        underWay -= 1
        records[uuid]?.attempts.append(SendAttempt(attemptDate: now, sendAttemptResult: result))
        guard result != .success, let record = records[uuid] else { return }
        let factor = endpoints[record.app]?.timeFactor ?? 1
        let schedule = RetrySchedule(environment: record.app.environment, factor: factor)
        if let pause = schedule.pause(after: record.attempts.count) {
            wait(uuid, until: now.advanced(by: pause))
        }
    }

    /// Sends a notification once more, as Apple does now and then; false when it is not known.
    func repeatDelivery(of uuid: String, at now: Timestamp) -> Bool {
        guard records[uuid] != nil else { return false }
        wait(uuid, until: now)
        return true
    }

    private func wait(_ uuid: String, until due: Timestamp) {
        let later = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
        waiting.insert((due, uuid), at: later)
    }

    func record(_ uuid: String) -> ServerNotificationRecord? { records[uuid] }

    func history(of app: StoreApp) -> [ServerNotificationRecord] {
        uuids.compactMap { records[$0] }.filter { $0.app == app }
    }
}
