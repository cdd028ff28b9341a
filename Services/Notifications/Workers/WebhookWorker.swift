import Contracts
import Database
import Delivery
import Program

/// Delivers the messages to the apps' own servers: at least once, in order per buyer or account, without giving up.
struct WebhookWorker: OutsideWorker {
    let endpoints: [BundleID: Configuration.Webhook]
    let poster: any WebhookPoster
    let concurrency = 32

    func due(
        _ connection: any Connection,
        of partition: PartitionAddress,
        now: Timestamp,
        limit: Int,
        underWay: Set<String>,
        excluding passedOver: Set<String>
    ) throws -> (items: [WorkItem], next: Timestamp?) {
        let store = WebhookStore(connection: connection)
        let free = try store.due(now: now, limit: limit + passedOver.count).filter {
            !passedOver.contains($0.name)
        }
        let items = try free.prefix(limit).map { job in
            WorkItem(key: job.name, payload: try EventCoder.encoder().encode(job))
        }
        return (items, try store.nextDue(after: now))
    }

    @concurrent func perform(_ item: WorkItem) async -> [UInt8] {
        do {
            let job = try WebhookJob(payload: item.payload)
            guard let endpoint = endpoints[job.bundleId] else { return Array("no endpoint".utf8) }
            return Array(String(try await poster.post(job.call(of: endpoint))).utf8)
        } catch {
            return Array("no answer".utf8)
        }
    }

    func finish(_ item: WorkItem, result: [UInt8], in context: HandlerContext) throws {
        let store = WebhookStore(connection: context.connection)
        let answer = String(decoding: result, as: UTF8.self)
        let status = Int(answer)
        let event = Webhook.Event(status: status, random: context.newNumber())
        guard let row = try store.row(try WebhookJob(payload: item.payload).key) else { return }
        try apply(event, to: row, answer: event == .reached ? nil : answer, store, in: context)
    }

    private func apply(
        _ event: Webhook.Event,
        to row: WebhookRow,
        answer: String? = nil,
        _ store: WebhookStore,
        in context: HandlerContext
    ) throws {
        var row = row
        let directives: [Webhook.Directive]
        do throws(Webhook.Refusal) {
            directives = try row.webhook.apply(event, now: context.now)
        } catch {
            return
        }
        for directive in directives {
            switch directive {
            case .save:
                try store.save(row, answer: answer)
                if let due = row.webhook.dueAt { context.scheduleWork(at: due) }
            case .unblockNext:
                guard let next = try store.oldestUndelivered(row.bundleId, row.subject) else { continue }
                try apply(.unblocked, to: next, store, in: context)
            }
        }
    }
}
