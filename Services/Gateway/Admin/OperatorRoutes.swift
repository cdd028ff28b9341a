import Contracts
import Hummingbird
import Program

/// `/v1/admin/operator`: who asks, and what they may do.
struct OperatorRoutes: Sendable {
    private struct Answer: Encodable {
        let id: OperatorID
        let name: String
        let role: OperatorRole
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.adminRoute(.get, "/operator", for: .read) { request in
                try .json(Answer(id: request.by.id, name: request.by.name, role: request.by.role))
            }
        ]
    }
}
