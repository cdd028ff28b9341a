import Foundation
import Glibc
import Program

/// A command that is connected, and what it waits for.
struct GroupConnection {
    enum Wait: Equatable {
        case question
        /// Until the program runs as often as wanted, and well.
        case scaled(GroupProgram)
        /// Until no restart is under way.
        case restarted
        /// Until the group has ended.
        case ended
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
            clients[descriptor]?.wait = .scaled(program)
        case .restart(let program, let version):
            if let refusal = restart(program, with: version) { return answer(descriptor, refusal) }
            clients[descriptor]?.wait = .restarted
        case .down:
            clients[descriptor]?.wait = .ended
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
            switch connection.wait {
            case .question, .ended: continue
            case .scaled(let program): if !isEnding { answerScaled(program, descriptor) }
            case .restarted: if !isEnding, plan == nil { answer(descriptor, status) }
            }
            if isEnding { answer(descriptor, GroupReply(problem: "the group is ending")) }
        }
    }

    private func answerScaled(_ program: GroupProgram, _ descriptor: Int32) {
        let replicas = children.filter { $0.key.program == program }
        if let refused = replicas.first(where: { $0.value.standing == .refused }) {
            let problem = "\(refused.key) \(refused.value.problem ?? "refused its configuration")"
            answer(descriptor, GroupReply(problem: problem, code: Launch.usageCode))
        } else if replicas.values.allSatisfy(\.machine.isWell) {
            answer(descriptor, status)
        }
    }

    private var status: GroupReply {
        let replicas = children.sorted { $0.key < $1.key }.map { name, child in
            GroupReply.Replica(
                program: name.program,
                replica: name.number,
                pid: child.process?.pid,
                isWell: child.machine.isWell,
                state: child.machine.state,
                configuration: child.configuration,
                problem: child.problem
            )
        }
        return GroupReply(
            replicas: replicas,
            configuration: configuration.version,
            partitions: configuration.configuration.partitions,
            gateway: gatewayURL
        )
    }

    func answer(_ descriptor: Int32, _ reply: GroupReply) {
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
