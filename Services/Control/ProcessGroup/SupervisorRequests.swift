import Foundation
import Glibc
import Program

struct SupervisorConnection {
    enum Wait: Equatable {
        case request
        /// Until as many replicas as wanted run and are well.
        case scaled(GroupProgram)
        case restarted
        case ended
    }

    var received: [UInt8] = []
    var wait = Wait.request
}

extension Supervisor {
    func read(from descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        guard let bytes = Descriptors.readAvailable(descriptor, into: &buffer) else {
            return hangUp(descriptor)
        }
        clients[descriptor]?.received += bytes
        guard let connection = clients[descriptor], connection.wait == .request else { return }
        if let end = connection.received.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Data(connection.received[..<end])
            do {
                try carryOut(JSONDecoder().decode(SupervisorRequest.self, from: line), for: descriptor)
            } catch {
                refuse(descriptor, "up does not know this request; use its own version")
            }
        } else if connection.received.count > SupervisorRequest.maximumBytes {
            hangUp(descriptor)
        }
    }

    private func carryOut(_ request: SupervisorRequest, for descriptor: Int32) {
        if isEnding, request != .status, request != .down { return refuse(descriptor, "the group is ending") }
        switch request {
        case .status: answer(descriptor, status)
        case .scale(let program, let wanted):
            guard (1...ScalePlan.maximumReplicas).contains(wanted) else {
                return refuse(descriptor, "replicas must be from 1 to \(ScalePlan.maximumReplicas)")
            }
            scale(program, to: wanted)
            clients[descriptor]?.wait = .scaled(program)
        case .restart(let program, let version):
            if let refusal = beginRestart(program, with: version) { return answer(descriptor, refusal) }
            clients[descriptor]?.wait = .restarted
        case .down:
            clients[descriptor]?.wait = .ended
            end()
        }
    }

    private func scale(_ program: GroupProgram, to wanted: Int) {
        let existing = children.keys.filter { $0.program == program }.map(\.number)
        let plan = ScalePlan(existing: existing, wanted: wanted)
        log.report("\(program.rawValue) is scaled from \(existing.count) to \(wanted)")
        for number in plan.start { children[ReplicaName(program: program, number: number)] = Child() }
        for number in 0..<wanted { apply(.start, to: ReplicaName(program: program, number: number)) }
        for number in plan.end { apply(.stop, to: ReplicaName(program: program, number: number)) }
        removeOver()
    }

    func answerClients() {
        for (descriptor, connection) in clients {
            switch connection.wait {
            case .request, .ended: continue
            case .scaled where isEnding, .restarted where isEnding: refuse(descriptor, "the group is ending")
            case .scaled(let program): answerScaled(program, descriptor)
            case .restarted: if restart == nil { answer(descriptor, status) }
            }
        }
    }

    private func answerScaled(_ program: GroupProgram, _ descriptor: Int32) {
        let replicas = children.filter { $0.key.program == program }
        if let refused = replicas.first(where: { $0.value.health == .refused }) {
            let problem = "\(refused.key) \(refused.value.problem ?? "refused its configuration")"
            refuse(descriptor, problem, code: Launch.usageCode)
        } else if replicas.values.allSatisfy(\.machine.isWell) {
            answer(descriptor, status)
        }
    }

    private var status: SupervisorReply {
        let replicas = children.sorted { $0.key < $1.key }.map { name, child in
            SupervisorReply.Replica(
                program: name.program,
                replica: name.number,
                pid: child.process?.pid,
                isWell: child.machine.isWell,
                state: child.machine.state,
                configuration: child.configuration,
                problem: child.problem
            )
        }
        return SupervisorReply(
            replicas: replicas,
            configuration: snapshot.version,
            partitions: snapshot.configuration.partitions,
            gateway: gatewayURL
        )
    }

    func refuse(_ descriptor: Int32, _ problem: String, code: Int32? = nil) {
        answer(descriptor, SupervisorReply(problem: problem, code: code))
    }

    private func answer(_ descriptor: Int32, _ reply: SupervisorReply) {
        do {
            let bytes = [UInt8](try JSONEncoder().encode(reply)) + [UInt8(ascii: "\n")]
            send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        } catch {
            log.report("an answer could not be written: \(error)")
        }
        hangUp(descriptor)
    }

    private func hangUp(_ descriptor: Int32) {
        clients[descriptor] = nil
        close(descriptor)
    }
}
