import Contracts
import Hummingbird
import Program

/// What every route needs: who asks, how much is in hand, and whom to ask.
struct Edge: Sendable {
    let configuration: GatewayConfiguration
    let authentication: Authentication
    let admission: Admission
    let partitions: Partitions
    let statuses: StatusBoard
    let hintSecrets: HintSecrets
    /// Connections that were closed because their address had too many.
    let refusedConnections = Tally()
    /// The number of this replica, in its own figures.
    let replica: Int

    /// The edge of a gateway.
    init(
        _ configuration: GatewayConfiguration,
        partitions: Partitions,
        admission: Admission = Admission(),
        replica: Int = 0
    ) {
        self.replica = replica
        self.configuration = configuration
        self.partitions = partitions
        self.admission = admission
        authentication = Authentication(apps: configuration.apps)
        hintSecrets = HintSecrets(apps: configuration.apps)
        statuses = StatusBoard(partitions: partitions)
    }
}
