import Contracts
import Delivery

/// Reads copies of webhooks from the partitions of a test home, and forwards each once.
///
/// It changes no delivery: what a server of the app has not taken stays undelivered, whatever the target answers.
struct WebhookListener {
    let group: any PartitionClient
    /// Forwards a webhook, and shows what became of it.
    let forward: (WebhooksPage.Webhook) async throws -> Void
    /// Tells of partitions that do not answer, and that answer again.
    var warn: (String) -> Void = { Terminal.warn($0) }

    /// The position of the last webhook that was forwarded, of each partition.
    private var positions: [PartitionAddress: Int64] = [:]
    private var silent: Set<PartitionAddress> = []

    init(
        group: any PartitionClient,
        forward: @escaping (WebhooksPage.Webhook) async throws -> Void
    ) {
        (self.group, self.forward) = (group, forward)
    }

    private var addresses: [PartitionAddress] {
        (0..<group.partitions).map { PartitionAddress(.notifications, $0) }
    }

    /// Has every partition keep copies from now on, and begins there; from the oldest that are kept if wanted.
    ///
    /// - Throws: `CommandFailure` where one does not answer, or the home is no test home.
    mutating func begin(isFromOldest: Bool) async throws {
        for address in addresses {
            let last = try await group.ask(WebhooksListenV1(), of: address).last
            positions[address] = isFromOldest ? 0 : last
        }
    }

    /// Forwards what has been written since the last round; partitions that are silent now are asked again in the next.
    mutating func round() async throws {
        for address in addresses {
            while let page = try await page(of: address) {
                for webhook in page.webhooks { try await forward(webhook) }
                positions[address] = page.last
                if page.webhooks.isEmpty { break }
            }
        }
    }

    private mutating func page(of address: PartitionAddress) async throws -> WebhooksPage? {
        do {
            let page = try await group.ask(WebhooksListenV1(after: positions[address] ?? 0), of: address)
            if silent.remove(address) != nil { warn("\(address) answers again") }
            return page
        } catch let failure as CommandFailure where failure.isSilence {
            if silent.insert(address).inserted { warn("\(failure); it is asked again") }
            return nil
        }
    }
}
