import HTTPTypes
import Hummingbird

/// `/_control/faults`: what goes wrong on purpose.
struct FaultsRoutes: Sendable {
    let store: SimulatedStore

    func add(to control: RouterGroup<SimulatorContext>) {
        control.post("faults") { request, _ in
            let fault: Fault = try await JSONBody.read(request)
            if let flaw = fault.flaw { throw Problem(flaw) }
            return try Response.json(await store.faults.add(fault, at: store.now()), status: .created)
        }
        control.get("faults") { _, _ in try Response.json(["faults": await store.faults.entries]) }
        control.delete("faults") { _, _ in
            await store.faults.removeAll()
            return Response(status: .noContent)
        }
        control.delete("faults/:faultId") { _, context in
            let id = try context.parameters.require("faultId", as: Int.self)
            guard await store.faults.remove(id) else { throw Problem(.notFound, "there is no such fault") }
            return Response(status: .noContent)
        }
    }
}
