import Testing
import ZeroMQ

@Suite struct `the text of an endpoint` {
    @Test(arguments: [
        ("ipc:///run/orders/0.sock", Endpoint.ipc(path: "/run/orders/0.sock")),
        ("tcp://10.0.0.7:7400", .tcp(host: "10.0.0.7", port: 7_400)),
        ("tcp://orders-1.example.com:1", .tcp(host: "orders-1.example.com", port: 1)),
        ("tcp://[fd00::7]:65535", .tcp(host: "fd00::7", port: .max)),
        ("tcp://[::ffff:10.0.0.7]:7400", .tcp(host: "::ffff:10.0.0.7", port: 7_400)),
    ])
    func `comes back as it went`(text: String, endpoint: Endpoint) {
        #expect(Endpoint(text) == endpoint)
        #expect(endpoint.description == text)
    }

    @Test(arguments: [
        "", "/run/orders/0.sock", "ipc://", "ipc://run/0.sock", "IPC:///run/0.sock", "inproc://a", "tcp://",
        "tcp://host", "tcp://host:", "tcp://:7400", "tcp://host:0", "tcp://host:07400", "tcp://host:+1",
        "tcp://host:65536", "tcp://*:7400", "tcp://a b:7400", "tcp://a/b:7400", "tcp://fd00::7:7400",
        "tcp://[]:7400", "tcp://[host]:7400", "tcp://[fd00::7%eth0]:7400", "tcp://[fd00::7]", "tcp://höst:1",
    ])
    func `of any other form is none`(text: String) {
        #expect(Endpoint(text) == nil)
    }
}
