import Foundation
import Glibc

/// A command that is connected, and what it waits for.
struct GroupConnection {
    enum Wait: Equatable {
        case question
        /// Until the program runs as often as wanted, and well; nil for what ends with the group.
        case settled(GroupProgram?)
    }

    var received: [UInt8] = []
    var wait = Wait.question
}

extension Supervisor {
    func read(from descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        guard let bytes = Descriptors.readAvailable(descriptor, into: &buffer) else {
            return hangUp(descriptor)
        }
        clients[descriptor]?.received += bytes
        guard let connection = clients[descriptor], connection.wait == .question else { return }
        if let end = connection.received.firstIndex(of: UInt8(ascii: "\n")) {
            take(connection.received[..<end], from: descriptor)
        } else if connection.received.count > GroupRequest.maximumBytes {
            hangUp(descriptor)
        }
    }

    private func take(_ line: ArraySlice<UInt8>, from descriptor: Int32) {
        do {
            try obey(JSONDecoder().decode(GroupRequest.self, from: Data(line)), from: descriptor)
        } catch {
            answer(descriptor, GroupReply(problem: "up does not know this request; use its own version"))
        }
    }

    private func obey(_ request: GroupRequest, from descriptor: Int32) {
        if isEnding, request != .status, request != .down {
            return answer(descriptor, GroupReply(problem: "the group is ending"))
        }
        switch request {
        case .status: answer(descriptor, status)
        case .scale(let program, let wanted):
            guard (1...ScalePlan.maximumReplicas).contains(wanted) else {
                let problem = "replicas must be from 1 to \(ScalePlan.maximumReplicas)"
                return answer(descriptor, GroupReply(problem: problem))
            }
            scale(program, to: wanted)
            clients[descriptor]?.wait = .settled(program)
        case .restart(let program):
            restarts += children.keys.filter { $0.program == program }.sorted()
            clients[descriptor]?.wait = .settled(program)
        case .down:
            clients[descriptor]?.wait = .settled(nil)
            end()
        }
    }

    private func scale(_ program: GroupProgram, to wanted: Int) {
        let existing = children.keys.filter { $0.program == program }.map(\.number)
        let plan = ScalePlan(existing: existing, wanted: wanted)
        log.say("\(program.rawValue) is scaled from \(existing.count) to \(wanted)")
        for number in plan.start {
            children[ReplicaName(program: program, number: number)] = Child(now: MonotonicClock.now)
        }
        for number in 0..<wanted { apply(.start, to: ReplicaName(program: program, number: number)) }
        for number in plan.end { apply(.stop, to: ReplicaName(program: program, number: number)) }
        for (name, child) in children where child.machine.phase == .over { children[name] = nil }
    }

    /// Answers those whose wish has come true.
    func answerClients() {
        for (descriptor, connection) in clients {
            guard case .settled(let program?) = connection.wait else { continue }
            let replicas = children.filter { $0.key.program == program }
            let waits = restarts.contains { $0.program == program }
            if isEnding {
                answer(descriptor, GroupReply(problem: "the group is ending"))
            } else if !waits, replicas.values.allSatisfy(\.machine.isWell) {
                answer(descriptor, status)
            }
        }
    }

    private var status: GroupReply {
        let replicas = children.sorted { $0.key < $1.key }.map { name, child in
            GroupReply.Replica(
                program: name.program,
                replica: name.number,
                pid: child.process?.pid,
                isWell: child.machine.isWell
            )
        }
        return GroupReply(replicas: replicas, gateway: gatewayURL)
    }

    private func answer(_ descriptor: Int32, _ reply: GroupReply) {
        do {
            let bytes = [UInt8](try JSONEncoder().encode(reply)) + [UInt8(ascii: "\n")]
            send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        } catch {
            log.say("an answer could not be written: \(error)")
        }
        hangUp(descriptor)
    }

    private func hangUp(_ descriptor: Int32) {
        clients[descriptor] = nil
        close(descriptor)
    }
}
