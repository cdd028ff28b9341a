import Contracts
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import NIOCore
import Program

/// `/metrics`: figures of all partitions and of this gateway, in Prometheus' text format.
struct MetricsRoutes: Sendable {
    /// The age of the oldest order that is paid and not granted; first, because it is the most important figure.
    static let paidUngranted = "counterfoil_paid_ungranted_oldest_seconds"

    let gateway: GatewayContext

    var routes: [Route] {
        [
            Route(.get, "/metrics") { _, _ in
                .content(ByteBuffer(string: try await text()), type: PrometheusText.contentType)
            }
        ]
    }

    private func text() async throws -> String {
        let entries = try await gateway.statuses.entries()
        var text = PrometheusText()
        let oldest = entries.compactMap { $0.status?.gauges[Self.paidUngranted] }.max() ?? 0
        text.add(Self.paidUngranted, oldest, help: "Age of the oldest order that is paid and not granted.")
        for entry in entries { addPartition(entry, to: &text) }
        for entry in entries {
            let gauges = (entry.status?.gauges ?? [:]).sorted { $0.key < $1.key }
            for (name, value) in gauges where name != Self.paidUngranted {
                text.add(name, value, labels: labels(entry.partition))
            }
        }
        if let log = gateway.logSight {
            let positions = entries.compactMap { entry in
                entry.status?.logPosition.map { (entry.partition, $0) }
            }
            LogMetrics(sight: log(), positions: Dictionary(uniqueKeysWithValues: positions)).add(to: &text)
        }
        addGateway(to: &text)
        return text.text
    }

    private func addPartition(_ entry: PartitionStatuses.Entry, to text: inout PrometheusText) {
        let labels = labels(entry.partition)
        let isUp = entry.status == nil ? 0.0 : 1.0
        text.add("counterfoil_partition_up", isUp, labels: labels, help: "Whether the partition replies.")
        guard let status = entry.status else { return }
        let figures: KeyValuePairs<String, Double> = [
            "epoch": Double(status.epoch),
            "outbox": Double(status.outbox),
            "oldest_unsettled_seconds": Double(status.oldestUnsettledMs) / 1_000,
            "delayed": Double(status.delayed),
            "parked_work": Double(status.parkedWork),
            "dead_letters": Double(status.deadLetters),
            "quarantined_links": Double(status.quarantinedLinks),
            "unanswered_links": Double(status.unansweredLinks.count),
        ]
        for (name, value) in figures { text.add("counterfoil_partition_\(name)", value, labels: labels) }
        for (name, count) in status.counters.sorted(by: { $0.key < $1.key }) {
            text.add("counterfoil_partition_\(name)_total", Double(count), labels: labels, kind: .counter)
        }
        let (service, number) = (entry.partition.service.rawValue, entry.partition.partition)
        for (type, count) in status.messages.sorted(by: { $0.key < $1.key }) {
            text.add(
                "counterfoil_messages_total",
                Double(count),
                labels: ["service": service, "partition": String(number), "type": type],
                kind: .counter,
                help: "Messages that a partition's handlers have handled or refused, by type."
            )
        }
        for (type, microseconds) in status.messageMicroseconds.sorted(by: { $0.key < $1.key }) {
            text.add(
                "counterfoil_message_seconds_total",
                Double(microseconds) / 1_000_000,
                labels: ["service": service, "partition": String(number), "type": type],
                kind: .counter,
                help: "How long handlers took for these messages, without commits."
            )
        }
        for (kind, count) in status.alarms.sorted(by: { $0.key < $1.key }) {
            text.add(
                "counterfoil_alarms_total",
                Double(count),
                labels: ["service": service, "partition": String(number), "kind": kind],
                kind: .counter,
                help: "Alarms that a partition's owner has written, by kind."
            )
        }
        addConfiguration(status.configuration, of: service, number, to: &text)
    }

    /// The configuration's version; a group should have one.
    private func addConfiguration(
        _ version: String,
        of program: String,
        _ number: Int,
        to text: inout PrometheusText
    ) {
        text.add(
            "counterfoil_configuration",
            1,
            labels: ["service": program, "number": String(number), "version": version],
            help: "The configuration of a partition's owner, and of this replica of the gateway."
        )
    }

    private func addGateway(to text: inout PrometheusText) {
        let replica = String(gateway.replica)
        addConfiguration(gateway.version, of: Gateway.name, gateway.replica, to: &text)
        text.add(
            "counterfoil_gateway_connections_refused_total",
            Double(gateway.refusedConnections.withLockedValue { $0 }),
            labels: ["replica": replica],
            kind: .counter,
            help: "Connections closed because their address had too many."
        )
        for (name, count) in [("encodes", ConversionCounts.encoded), ("decodes", ConversionCounts.decoded)] {
            text.add(
                "counterfoil_gateway_\(name)_total",
                Double(count),
                labels: ["replica": replica],
                kind: .counter,
                help: "JSON texts that this replica's process has converted."
            )
        }
        for (key, count) in gateway.malformedProofs.counts {
            text.add(
                "counterfoil_gateway_malformed_proofs_total",
                Double(count),
                labels: ["replica": replica, "app": key.app.rawValue, "shape": key.shape],
                kind: .counter,
                help: "Proofs of an app that nobody can read, by what was made of them."
            )
        }
        let shedder = gateway.loadShedder
        let limits: KeyValuePairs = [
            "purchases": shedder.purchases, "serverNotifications": shedder.serverNotifications,
        ]
        let figures: [(name: String, value: (ConcurrencyLimit) -> Int, help: String)] = [
            ("in_flight", \.inFlight, "Requests and waits in flight in this replica."),
            ("body_bytes", \.bodyBytes, "Bytes of bodies in flight in this replica that are counted."),
            ("responses_total", \.responses, "Responses of this replica."),
            ("shed_total", \.shed, "Requests turned away because this replica had too many in flight."),
        ]
        for figure in figures {
            for (name, limit) in limits {
                text.add(
                    "counterfoil_gateway_\(figure.name)",
                    Double(figure.value(limit)),
                    labels: ["replica": replica, "limit": name],
                    kind: figure.name.hasSuffix("_total") ? .counter : .gauge,
                    help: figure.help
                )
            }
        }
    }

    private func labels(_ partition: PartitionAddress) -> KeyValuePairs<String, String> {
        ["service": partition.service.rawValue, "partition": String(partition.partition)]
    }
}
