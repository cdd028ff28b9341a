import TestKit

@testable import Delivery

/// The wire: it loses, repeats, overtakes and delays, and reconnects without telling.
extension Simulation {
    /// Looks a receiver's address up, which may be another partition's for a while.
    func lookUp(_ link: Int, _ owner: SimulatedOwner) {
        owner.strays[link] = nil
        guard happens(.staleAddress, perMille: Self.stalePerMille) else { return }
        let others = stores.indices.filter { $0 != SimulatedLink.all[link].to }
        owner.strays[link] = others[random.below(others.count)]
    }

    /// How often an address is stale, per thousand attaches.
    private static let stalePerMille = 2

    /// Gives a frame to the wire, from a link's sender to whoever owns the receiving partition.
    func send(_ frame: LinkFrame, _ rows: [SimulatedRow] = [], on link: Int, _ owner: SimulatedOwner) {
        let target = owner.strays[link] ?? SimulatedLink.all[link].to
        let packet = SimulatedPacket(
            link: link,
            host: owner.host,
            life: hosts[owner.host].life,
            generation: owners[target]?.generation ?? 0,
            connection: connection(of: owner.host, to: target),
            strayTo: owner.strays[link],
            content: .toReceiver(frame, rows)
        )
        transmit(packet)
    }

    /// Gives an answer to the wire, back along the connection on which the sender spoke.
    func answer(_ reply: SimulatedDraft.Reply) {
        if case .refused(let refusal) = reply.frame { counts.count(refusal.reason) }
        let packet = SimulatedPacket(
            link: reply.link,
            host: Int(reply.connection[0]),
            life: Int(reply.connection[1]),
            connection: reply.connection,
            content: .toSender(reply.frame)
        )
        transmit(packet)
    }

    /// Says how far a receiver is, if anyone is attached to it.
    func say(settlementOf receiver: SimulatedReceiver, _ owner: SimulatedOwner) {
        guard let session = receiver.machine.session,
            let frame = receiver.machine.settlement(epoch: owner.epoch, credit: credit(receiver.link))
        else { return }
        answer(.init(link: receiver.link, connection: session.connection, frame: .settled(frame)))
    }

    static let mostCredit: UInt64 = 8

    /// Answer links always have credit.
    func credit(_ link: Int) -> UInt64 {
        SimulatedLink.all[link].isForward && starving.contains(SimulatedLink.all[link].to)
            ? 0 : Self.mostCredit
    }

    /// All partitions of a process share its connection to a partition.
    private func connection(of host: Int, to partition: Int) -> [UInt8] {
        let generation = owners[partition]?.generation ?? 0
        return [
            UInt8(truncatingIfNeeded: host), UInt8(truncatingIfNeeded: hosts[host].life),
            UInt8(truncatingIfNeeded: generation), UInt8(truncatingIfNeeded: generation >> 8),
            UInt8(truncatingIfNeeded: hosts[host].reconnects[partition]),
        ]
    }

    private func transmit(_ packet: SimulatedPacket) {
        if happens(.loss, perMille: rates.loss) { return }
        deliver(packet)
        if happens(.repetition, perMille: rates.repetition) { deliver(packet) }
    }

    private func deliver(_ packet: SimulatedPacket) {
        var delay = random.within(1...3)
        if happens(.reordering, perMille: rates.reordering) { delay += random.within(3...30) }
        if happens(.delay, perMille: rates.delay) { delay += random.within(30...rates.longestDelay) }
        plan(in: delay) { $0.arrive(packet) }
    }

    /// A frame has come to the end of the wire.
    func arrive(_ packet: SimulatedPacket) {
        counts.events += 1
        switch packet.content {
        case .toReceiver: arriveAtReceiver(packet)
        case .toSender, .request: arriveAtSender(packet)
        }
    }

    private func arriveAtReceiver(_ packet: SimulatedPacket) {
        let target = packet.strayTo ?? SimulatedLink.all[packet.link].to
        let isSenderAlive = hosts[packet.host].life == packet.life
        guard let owner = owners[target] else {
            guard isSenderAlive, random.happens(perMille: 850) else { return }
            return plan(in: random.within(5...40)) { $0.arrive(packet) }
        }
        let isOld = owner.generation != packet.generation
        guard isSenderAlive || !isOld else { return }
        if isOld, packet.generation > 0 {
            counts.count(.oldFrame)
            note("FAULT oldFrame")
        }
        var packet = packet
        if isSenderAlive { packet.connection = connection(of: packet.host, to: target) }
        enter(packet, owner)
    }

    private func arriveAtSender(_ packet: SimulatedPacket) {
        guard let owner = owners[SimulatedLink.all[packet.link].from] else { return }
        guard owner.host == packet.host, hosts[packet.host].life == packet.life else { return }
        enter(packet, owner)
    }

    func enter(_ packet: SimulatedPacket, _ owner: SimulatedOwner) {
        owner.inbox.append(packet)
        planWork(owner, in: random.below(3))
    }
}
