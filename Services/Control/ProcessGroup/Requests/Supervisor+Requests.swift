import FoundationEssentials
import Glibc
import Program

extension Supervisor {
    func read(from client: SupervisorConnection) {
        guard let bytes = client.descriptor.readAvailable() else { return hangUp(client) }
        guard client.request == nil else { return }
        client.received += bytes
        if let end = client.received.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Data(client.received[..<end])
            do {
                try carryOut(JSONDecoder().decode(SupervisorRequest.self, from: line), for: client)
            } catch is DecodingError {
                refuse(client, "up does not know this request; use its own version")
            } catch {
                refuse(client, "\(error)", code: (error as? any ProgramError)?.exitCode)
            }
        } else if client.received.count > SupervisorRequest.maximumBytes {
            hangUp(client)
        }
    }

    private func carryOut(_ request: SupervisorRequest, for client: SupervisorConnection) throws {
        if isEnding, request != .status, request != .down { return refuse(client, "the group is ending") }
        client.request = request
        switch request {
        case .status: answer(client, status)
        case .scale(let program, let wanted):
            guard ScalePlan.replicas.contains(wanted) else {
                return refuse(client, "replicas must be from 1 to \(ScalePlan.replicas.upperBound)")
            }
            scale(program, to: wanted)
        case .restart(let program, let version): try beginRestart(program, with: version)
        case .down: end()
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
        for client in clients {
            switch client.request {
            case nil, .status, .down: continue
            case .scale where isEnding, .restart where isEnding: refuse(client, "the group is ending")
            case .scale(let program, _): answerScaled(program, client)
            case .restart: if restart == nil { answer(client, status) }
            }
        }
    }

    private func answerScaled(_ program: GroupProgram, _ client: SupervisorConnection) {
        let replicas = children.filter { $0.key.program == program }
        if let refused = replicas.first(where: { $0.value.health == .refused }) {
            let problem = "\(refused.key) \(refused.value.problem ?? "refused its configuration")"
            refuse(client, problem, code: Launch.usageCode)
        } else if replicas.values.allSatisfy(\.machine.isWell) {
            answer(client, status)
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
            wire: snapshot.configuration.wire,
            store: snapshot.configuration.store,
            gateway: gatewayURL
        )
    }

    func refuse(_ client: SupervisorConnection, _ problem: String, code: Int32? = nil) {
        answer(client, SupervisorReply(problem: problem, code: code))
    }

    private func answer(_ client: SupervisorConnection, _ reply: SupervisorReply) {
        do {
            client.descriptor.sendAtOnce([UInt8](try JSONEncoder().encode(reply)) + [UInt8(ascii: "\n")])
        } catch {
            log.report("an answer could not be written: \(error)")
        }
        hangUp(client)
    }

    private func hangUp(_ client: SupervisorConnection) { clients.removeAll { $0 === client } }
}
