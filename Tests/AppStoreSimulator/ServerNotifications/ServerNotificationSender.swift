import Contracts
import ServiceLifecycle

/// Carries notifications to the apps' servers.
struct ServerNotificationSender: Service {
    static let maximumUnderWay = 64
    /// Milliseconds between two looks at what is due: far less than any pause of the schedule.
    static let pollInterval: Int64 = 25

    let queue: ServerNotificationQueue
    let now: @Sendable () -> Timestamp
    let pause: @Sendable (Int64) async throws -> Void
    let post: @Sendable (_ url: String, _ body: String) async -> SendAttempt.Result

    /// Delivers until it is cancelled; a slow server holds up no other.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    guard await carryDue(in: &group) == 0 else { continue }
                    do { try await pause(Self.pollInterval) } catch { return }
                }
            }
        }
    }

    /// Delivers what is due now, and waits for every answer; returns how many that were.
    func deliverDue() async -> Int {
        await withDiscardingTaskGroup { await carryDue(in: &$0) }
    }

    private func carryDue(in group: inout DiscardingTaskGroup) async -> Int {
        let deliveries = await queue.take(Self.maximumUnderWay, at: now())
        for (record, url) in deliveries { group.addTask { await carry(record, to: url) } }
        return deliveries.count
    }

    private func carry(_ record: ServerNotificationRecord, to url: String) async {
        let result = await post(url, #"{"signedPayload":"\#(record.signedPayload)"}"#)
        await queue.note(result, of: record.notificationUUID, at: now())
    }
}
