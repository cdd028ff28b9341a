import Contracts
import Delivery
import Program

/// The figures of a group's commit log and of its hosts.
struct LogMetrics {
    /// Nil while PostgreSQL does not answer.
    let sight: LogSight?
    /// The last entry that each partition's owner knows, of those that answer.
    let positions: [PartitionAddress: Int64]

    func add(to text: inout PrometheusText) {
        let isUp = sight == nil ? 0.0 : 1.0
        text.add("counterfoil_log_up", isUp, help: "Whether PostgreSQL answers, which has the commit log.")
        guard let sight else { return }
        text.add(
            "counterfoil_log_weak",
            sight.weakness == nil ? 0 : 1,
            help: "Whether what is acknowledged may be lost with one machine."
        )
        if let timeline = sight.timeline {
            text.add("counterfoil_log_timeline", Double(timeline), help: "It rises with each promotion.")
        }
        addStandbys(sight.standbys, to: &text)
        addPartitions(sight, to: &text)
        for host in sight.hosts { addHost(host, to: &text) }
    }

    /// Nothing of an engine that does not tell.
    private func addStandbys(_ standbys: [Standby]?, to text: inout PrometheusText) {
        guard let standbys else { return }
        let help = "Servers that follow the primary."
        text.add("counterfoil_log_standbys", Double(standbys.count), help: help)
        for standby in standbys where !standby.name.isEmpty {
            guard let lag = standby.lagBytes else { continue }
            text.add(
                "counterfoil_log_standby_lag_bytes",
                Double(lag),
                labels: ["standby": standby.name, "state": standby.state],
                help: "What is not durable on a standby yet."
            )
        }
    }

    private func addPartitions(_ sight: LogSight, to text: inout PrometheusText) {
        for (partition, head) in sight.heads.sorted(by: { $0.key < $1.key }) {
            let labels: KeyValuePairs = [
                "service": partition.service.rawValue, "partition": String(partition.partition),
            ]
            let isQuarantined = sight.quarantines[partition] != nil
            text.add("counterfoil_partition_log_head", Double(head), labels: labels)
            text.add(
                "counterfoil_partition_log_quarantined",
                isQuarantined ? 1 : 0,
                labels: labels,
                help: "Whether nobody may take the partition before an operator has looked."
            )
            guard let position = positions[partition] else { continue }
            text.add(
                "counterfoil_partition_log_lag",
                Double(max(0, head - position)),
                labels: labels,
                help: "Entries of the log that the partition's owner does not know."
            )
        }
    }

    private func addHost(_ host: HostSight, to text: inout PrometheusText) {
        let labels: KeyValuePairs = ["host": host.address]
        text.add(
            "counterfoil_host_replicas",
            Double(host.replicas),
            labels: labels,
            help: "Replicas of services on the host that have given a sign lately."
        )
        text.add(
            "counterfoil_host_waiting",
            host.problem == nil ? 0 : 1,
            labels: labels,
            help: "Whether the host takes no partition, because hosts do not let each other in."
        )
        guard let silence = host.silence else { return }
        text.add(
            "counterfoil_host_silent_seconds",
            Double(silence) / 1_000,
            labels: labels,
            help: "Since when no service of the host has given a sign."
        )
    }
}
