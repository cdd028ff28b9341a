import Contracts
import TestKit

@testable import Delivery

enum GroupPacket {
    case message(WireMessage, to: PartitionAddress, from: PartitionAddress?, connection: [UInt8])
    /// What a receiver says to the sender of a link.
    case answer(WireHeader, to: PartitionAddress, by: PartitionAddress)
    case reply(WireMessage)
    /// A hint that a wire was made anew.
    case connected(PartitionAddress, to: PartitionAddress)
}

/// The network between the partitions and the gateway, which does everything but forge.
extension GroupSimulation {
    func send(_ packet: GroupPacket) {
        guard hasFaults else { return schedule(after: random.within(1...4)) { $0.deliver(packet) } }
        if random.happens(perMille: 20) { return fault(.loss) }
        var delay: Int64 = random.within(1...10)
        if random.happens(perMille: 50) {
            fault(.reordering)
            delay += random.within(10...120)
        }
        if random.happens(perMille: 15) {
            fault(.delay)
            delay += random.within(300...2_500)
        }
        schedule(after: delay) { $0.deliver(packet) }
        guard random.happens(perMille: 30) else { return }
        fault(.repetition)
        schedule(after: random.within(1...600)) { $0.deliver(packet) }
    }

    private func deliver(_ packet: GroupPacket) {
        switch packet {
        case .message(let message, let to, let from, let connection):
            deliver(message, to: to, from: from, connection: connection)
        case .answer(let header, let to, let by):
            take(WireMessage(header).inputs(by: by), at: to)
        case .connected(let peer, let to):
            take([.connected(peer)], at: to)
        case .reply(let message):
            receive(message)
        }
        if hasFaults { injectFaults() }
    }

    private func deliver(
        _ message: WireMessage,
        to: PartitionAddress,
        from: PartitionAddress?,
        connection: [UInt8]
    ) {
        var connection = connection
        if let from {
            let current = self.connection(from: from, to: to)
            if connection != current {
                if hasFaults { fault(.oldFrame) }
                if random.flip() { connection = current }
            }
        }
        log("\(from?.description ?? "gateway") → \(to): \(message.header) \(bodies(message))")
        take(message.inputs(from: connection), at: to)
    }

    private func bodies(_ message: WireMessage) -> String {
        message.body.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    /// Puts what arrived before the owner; without an owner it is lost, or waits for the next one.
    private func take(_ inputs: [PartitionInput], at address: PartitionAddress) {
        guard let partition = partitions[address] else { return }
        if partition.engine == nil {
            guard random.flip() else { return }
            if hasFaults { fault(.oldFrame) }
        }
        partition.inbox += inputs
        wake(address, after: random.within(0...3))
    }

    private func injectFaults() {
        if random.happens(perMille: 2) {
            let (from, to) = (random.pick(addresses), random.pick(addresses))
            fault(.reconnect)
            reconnects["\(from)\(to)", default: 0] += 1
            if random.flip() { send(.connected(to, to: from)) }
        }
        guard random.happens(perMille: 2), let partition = partitions[random.pick(addresses)] else { return }
        fault(.handover)
        handOver(partition)
    }
}
